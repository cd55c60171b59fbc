/** The limit on queued jobs: at which lengths submissions were accepted and refused. */
import type { Picture, QueueFacts, QueuePicture, QueuePurge } from '../../../schemas/facts.ts';
import { type QueueLimit, submittingOf } from '../../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import { grouped, number } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, dots, figure, label, lineAcross, scale, WIDTH } from '../../pictures/plot.ts';
import { type Doubt, doubt } from '../../verdicts/claim.ts';
import { brokenLedger, statusText } from '../../verdicts/evidence.ts';
import { closest } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { isTaken } from './evidence.ts';
import { judgeQueue } from './judge.ts';
import { measureQueue } from './measure.ts';

// What trouble does to the claims on a queue and its purge: a ledger that is not whole, a target that was gone for a
// moment and has lost its queue, and one behind a gateway that responded in its place.

const isOutage = (status: number): boolean => status >= 500;

export function queueDoubts(facts: QueueFacts): readonly Doubt[] {
  const { purge } = facts;
  return [
    ...doubt('both', brokenLedger(facts.health)),
    ...doubt('pass', maybeForgotten(facts), { of: [PURGE_CLEARS] }),
    ...doubt('fail', purge && goneOtherwise(purge), { of: [PURGE_KEEPS_RUNNING] }),
    // A job accepted beyond the border stays a break, independent of other requests: the length is known from below,
    // and unless the target has lost jobs in between (see `unknownQueue`) they all still wait.
    ...doubt('fail', outage(facts) ?? refusedForAll(facts), { except: ['enforced'] }),
  ];
}

/** Why jobs that are unknown after a purge may not be so for the purge. */
function maybeForgotten(facts: QueueFacts): string | undefined {
  const { purge, outage: met, waiting } = facts;
  if (purge?.memory === 'lost') return LOST;
  if (waiting.forgotten) return grouped`${waiting.forgotten} jobs were unknown before the purge already`;
  return met && purge?.memory !== 'kept' ? `${metWords(met)}, and a target that restarts may forget them` : undefined;
}

const LOST =
  '1 job that had been cancelled before is unknown as well, so the target may have forgotten everything, as in a restart';

/** Why a job that ran during the purge may be gone for another reason. */
function goneOtherwise({ memory, finished, ranOn }: QueuePurge): string | undefined {
  if (memory === 'lost') return LOST;
  return finished === 'gone' && ranOn && memory !== 'kept'
    ? '1 job was still running after the purge and unknown only later, as after a restart'
    : undefined;
}

/** A limiter of everything, which may have refused submissions too. */
function refusedForAll({ refusedHealth: refused }: QueueFacts): string | undefined {
  return refused > 0
    ? grouped`${refused} requests to health, which has no limit, were refused as well: something else refuses than the queue`
    : undefined;
}

/** Beyond the border a wrong status is a finding about the refusal; within it, or without any response, it is none. */
function outage({ attempts, purge, border, outage: met }: QueueFacts): string | undefined {
  const lost = attempts.filter(
    ({ outcome, status, queuedMax }) =>
      outcome === 'other' && (status === 0 || (isOutage(status) && queuedMax <= border)),
  );
  if (lost.length > 0) {
    return grouped`${lost.length} of ${attempts.length} submissions got no answer of the target's own, which may have been gone`;
  }
  for (const [what, status] of [
    ['purge', purge?.status ?? 0] as const,
    ['next submission', purge?.nextStatus ?? 0] as const,
  ]) {
    if (isOutage(status)) return `the ${what} was answered ${status}, as by an overload or an outage`;
  }
  return met ? `${metWords(met)}, so the target may have been gone` : undefined;
}

const metWords = ({ requests, statuses }: NonNullable<QueueFacts['outage']>): string =>
  grouped`${requests} other requests got no answer of the target's own (${statusText(statuses)})`;

// Submissions in their order, each at the length the queue had then, against the border beyond which they may be refused.

const [TOP, BASE, HEIGHT] = [14, 78, 92];
const MOST_DOTS = 120;

export function renderQueue(picture: QueuePicture): Html {
  const { points, border } = picture;
  const most = points.reduce((high, point) => Math.max(high, point.queued), border);
  const x = scale(0, Math.max(1, points.length - 1), 6, WIDTH - 6);
  const y = scale(0, most * 1.12, BASE, TOP);
  const placed = points.map((point, index) => ({ ...point, x: x(index), y: y(point.queued) }));
  const accepted = placed.filter((point) => point.accepted);
  const refused = placed.filter((point) => !point.accepted);
  const every = Math.max(1, Math.ceil(accepted.length / MOST_DOTS));
  const highest = accepted.reduce((high, point) => Math.max(high, point.queued), 0);
  const lowest = refused.reduce((low, point) => Math.min(low, point.queued), Infinity);
  const says = [
    accepted.length > 0 ? `accepted with up to ${number(highest)} queued` : 'none accepted',
    Number.isFinite(lowest) ? `refused with ${number(lowest)} or more` : 'none refused',
  ].join(', ');
  const sentence = `Endpoint ${picture.instId}, limit ${number(border)} jobs: ${says}.`;
  return figure(HEIGHT, sentence, `${picture.instId}: ●\u00a0${says.replace(', ', ' · ✕\u00a0')}`, [
    html`<path class="axis" d="${lineAcross(BASE)}"/>`,
    html`<path class="border" d="${lineAcross(y(border))}"/>`,
    html`<path class="dot" d="${dots(accepted.filter((_, index) => index % every === 0 || index === accepted.length - 1))}"/>`,
    html`<path class="cross" d="${crosses(refused)}"/>`,
    label(0, y(border) - 4, `limit ${number(border)}`),
    label(0, HEIGHT - 3, 'first submission'),
    label(WIDTH, HEIGHT - 3, 'last', 'end'),
  ]);
}

export const queue: KindOfLimit<QueueLimit> = {
  word: 'queue',
  documented: ({ status, value, perWorker }) =>
    `${status} only beyond ${number(value)} jobs and beyond WorkersMax × ${number(perWorker)}`,
  amount: (amount, count) => `${nouns(amount, count, 'job')} queued`,
  /** Of the endpoint with the smallest border; the pictures of every one that was filled. */
  row(limit, _own, { facts }) {
    const operation = submittingOf(limit);
    const probes = facts.filter((one): one is QueueFacts => one.kind === 'queue').sort((a, b) => a.border - b.border);
    const least = probes.filter(({ border }) => border === probes[0]?.border);
    const smallest = closest(least, (one) => measureQueue(one, operation));
    if (!smallest) return { documented: { value: limit.value }, measured: null };
    const pictures = probes.map((one): Picture => {
      const points = one.attempts
        .filter((attempt) => attempt.operation === operation && attempt.persisted !== false)
        .filter((attempt) => isTaken(attempt) || attempt.outcome === 'refused')
        .map((attempt) => ({ queued: attempt.queuedMin, accepted: isTaken(attempt) }));
      return { kind: 'queue', instId: one.instId, border: one.border, points };
    });
    const measured = measureQueue(smallest, operation);
    return { documented: { value: smallest.border }, measured, pictures, health: smallest.health };
  },
};

export const queueJudges: Judges<'queue'> = {
  queue: { judge: (facts, context) => judgeQueue(facts, context.table.of('queue'), context), doubts: queueDoubts },
};

export const queueDrawing: Drawing<'queue'> = { queue: renderQueue };
