/** Limits on requests at once: what was proven to overlap, from one address and from several. */
import type { ConcurrencyFacts, InFlightPicture } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { perAddressId } from '../../../schemas/load-checks.ts';
import { duration, grouped, number, plural } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, figure, label, lineAcross, scale, steps, WIDTH } from '../../pictures/plot.ts';
import { type Doubt, doubt } from '../../verdicts/claim.ts';
import { brokenLedger, tooFewSent, unseenRequests } from '../../verdicts/evidence.ts';
import { limitRow, narrowest } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { judgeAddresses } from './addresses.ts';
import { overloadWords, serverErrorWords } from './freed.ts';
import { judgeConcurrency } from './judge.ts';
import { measureConcurrency } from './measure.ts';

/**
 * A sender that holds requests open waits so long for their responses before it releases them. When it was kept from
 * running for as long itself, a response may have been there unread.
 */
export const LOOP_STALL_MS = 300;

export function concurrencyDoubts(facts: ConcurrencyFacts): readonly Doubt[] {
  const { health, refusedWithinLimit, refusals } = facts;
  const sure = refusals.statuses['429'] !== undefined;
  return [
    ...doubt('both', brokenLedger(health) ?? tooFewSent(health) ?? stalledSender(facts)),
    ...doubt('fail', unseenRequests(health, refusedWithinLimit), { of: ['guarantee', 'shared'] }),
    ...doubt('fail', serverErrorWords(facts), { of: ['freed'] }),
    // Whatever refused one more: those that were let in were at once.
    ...doubt('pass', sure ? undefined : overloadWords(facts), { except: ['guarantee'] }),
  ];
}

function stalledSender(facts: ConcurrencyFacts): string | undefined {
  const stallMs = facts.health.machine?.loopLagMs ?? 0;
  if (facts.technique === 'long-poll' || stallMs < LOOP_STALL_MS) return undefined;
  return grouped`the sender was stalled for ${Math.round(stallMs)} ms, so responses may have been read late`;
}

// Requests in flight over a concurrency probe, against the limit, and where one was refused.

const [TOP, BASE, STRIP, HEIGHT] = [14, 76, 87, 106];

export function renderInFlight(picture: InFlightPicture): Html {
  const fromMs = picture.steps[0]?.atMs ?? 0;
  const toMs = picture.steps.at(-1)?.atMs ?? fromMs;
  const most = picture.steps.reduce((high, step) => Math.max(high, step.inFlight), 0);
  const x = scale(fromMs, toMs, 0, WIDTH);
  const y = scale(0, Math.max(most, picture.limit) * 1.1, BASE, TOP);
  const path = steps(picture.steps.map((step) => ({ x: x(step.atMs), y: y(step.inFlight) })));
  // `refused` counts up, so a rise is where refusals happened.
  const refusals = picture.steps.filter((step, index) => step.refused > (picture.steps[index - 1]?.refused ?? 0));
  const refused = picture.steps.at(-1)?.refused ?? 0;
  const says =
    `At most ${number(most)} requests were in flight at once, against a limit of ${number(picture.limit)}; ` +
    `${number(refused)} were refused.`;
  return figure(HEIGHT, says, `line: requests in flight · crosses: ${number(refused)} refused`, [
    html`<path class="axis" d="${lineAcross(BASE)}"/>`,
    path !== '' ? html`<path class="area" d="${path}V${BASE}H${x(fromMs)}z"/><path class="line" d="${path}"/>` : html``,
    html`<path class="border" d="${lineAcross(y(picture.limit))}"/>`,
    html`<path class="cross" d="${crosses(refusals.map((step) => ({ x: x(step.atMs), y: STRIP })))}"/>`,
    label(WIDTH, y(picture.limit) - 3, `limit ${number(picture.limit)}`, 'end'),
    label(0, HEIGHT - 3, '0 s'),
    label(WIDTH, HEIGHT - 3, duration(toMs - fromMs), 'end'),
  ]);
}

export const concurrency: KindOfLimit<ConcurrencyLimit> = {
  word: 'concurrency',
  documented: ({ value, per }) =>
    `${plural(value, 'request')} at once per ${per === 'address' ? 'IP address' : 'endpoint'}`,
  amount: (amount, count) => `${nouns(amount, count, 'request')} at once`,
  row({ value }, own) {
    const probes = own.filter((one): one is ConcurrencyFacts => one.kind === 'concurrency');
    return {
      documented: { value },
      measured: narrowest(probes.map(measureConcurrency)),
      pictures: probes.map(({ picture }) => picture),
      ...(probes[0] ? { health: probes[0].health } : {}),
    };
  },
};

export const concurrencyJudges: Judges<'concurrency' | 'addresses'> = {
  concurrency: {
    judge: (facts, context) =>
      judgeConcurrency(facts, limitRow(facts.limitId, 'concurrent-requests', context.table), context),
    doubts: concurrencyDoubts,
  },
  addresses: { judge: (facts) => ({ [perAddressId({ id: facts.limitId })]: judgeAddresses(facts) }) },
};

export const concurrencyDrawing: Drawing<'in-flight'> = { 'in-flight': renderInFlight };
