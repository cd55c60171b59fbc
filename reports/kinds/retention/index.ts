/** How long finished jobs stay: no probe of the load, but polls during it. */
import type { RetentionPicture } from '../../../schemas/facts.ts';
import type { RetentionLimit } from '../../../schemas/limits.ts';
import type { ResultLimit } from '../../../schemas/results.ts';
import { lossesOf, type RetentionFacts } from '../../../schemas/retention.ts';
import { duration } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, dots, figure, label, lineAcross, scale, WIDTH } from '../../pictures/plot.ts';
import type { Measured } from '../../verdicts/measure.ts';
import type { Drawing, KindOfLimit } from '../kind.ts';

// How long jobs really stay, from the polls of them while they aged: between the greatest age at which one was
// certainly still there and the least at which one was certainly gone. When a job ended is an interval itself, so its
// age is counted from the late end of it for the one and from the early end for the other.

type Row = Pick<ResultLimit, 'documented' | 'measured' | 'pictures'>;

/** Ages of jobs without earlier polls, ms: when they were there, and when they were gone for their age. */
function agesOf(facts: RetentionFacts): { readonly there: readonly number[]; readonly gone: readonly number[] } {
  const untouched = facts.jobs.filter((job) => job.untouched);
  const there = untouched.flatMap(({ endedToMs, observations }) =>
    endedToMs === null
      ? []
      : observations.flatMap(({ answer, sentMs }) => (answer === 'there' ? [Math.max(0, sentMs - endedToMs)] : [])),
  );
  const losses = lossesOf(facts).filter(({ job, proven }) => proven && job.untouched);
  return { there, gone: losses.map(({ ageMs }) => ageMs) };
}

/** ms after completion; `upper` is null where none was gone for its age while they were watched. */
export function measureRetention(facts: RetentionFacts): Measured | null {
  const { there, gone } = agesOf(facts);
  if (there.length === 0) return null;
  const oldest = Math.floor(Math.max(...there));
  if (gone.length === 0) return { lower: oldest, upper: null };
  const youngest = Math.ceil(Math.min(...gone));
  // Where some jobs are kept for longer than others, the times of all lie between the two.
  return { lower: Math.min(oldest, youngest), upper: Math.max(oldest, youngest) };
}

/** What the row of a retention says, from the watch of its jobs; nothing measured where there was none. */
export function describeRetention(limit: RetentionLimit, watches: readonly RetentionFacts[]): Row {
  const documented = { value: limit.value };
  const facts = watches.find((one) => one.limitId === limit.id);
  if (!facts) return { documented, measured: null };
  const { there, gone } = agesOf(facts);
  const looks = [
    ...there.map((ageMs) => ({ ageMs: Math.round(ageMs), gone: false })),
    ...gone.map((ageMs) => ({ ageMs: Math.round(ageMs), gone: true })),
  ];
  const picture: RetentionPicture = {
    kind: 'retention',
    documentedMs: limit.value,
    looks: looks.sort((a, b) => a.ageMs - b.ageMs),
  };
  return { documented, measured: measureRetention(facts), pictures: [picture] };
}

// Polls of finished jobs by their age, doubling from left to right, against their documented retention.

const [LINE, HEIGHT] = [22, 46];
const TICK = 8;
/** Of the documented time; what is younger stands at the left edge. */
const YOUNGEST = 1 / 4096;

export function renderRetention({ looks, documentedMs }: RetentionPicture): Html {
  const shareOf = (ageMs: number): number => Math.max(YOUNGEST, documentedMs > 0 ? ageMs / documentedMs : 1);
  const most = looks.reduce((high, { ageMs }) => Math.max(high, shareOf(ageMs)), 1);
  const x = scale(Math.log2(YOUNGEST), Math.log2(most), 6, WIDTH - 6);
  const at = (ageMs: number): number => x(Math.log2(shareOf(ageMs)));
  const [there, gone] = [looks.filter((one) => !one.gone), looks.filter((one) => one.gone)];
  const oldest = there.reduce((high, { ageMs }) => Math.max(high, ageMs), 0);
  const youngest = gone.reduce((low, { ageMs }) => Math.min(low, ageMs), Infinity);
  const says = [
    there.length > 0 ? `there up to ${duration(oldest)}` : 'never there',
    gone.length > 0 ? `gone from ${duration(youngest)}` : 'never gone',
  ];
  const border = at(documentedMs);
  return figure(HEIGHT, `Jobs after their end: ${says.join(', ')}.`, `●\u00a0${says[0]} · ✕\u00a0${says[1]}`, [
    html`<path class="axis" d="${lineAcross(LINE)}"/>`,
    html`<path class="border" d="${`M${border} ${LINE - TICK}V${LINE + TICK}`}"/>`,
    html`<path class="dot" d="${dots(there.map(({ ageMs }) => ({ x: at(ageMs), y: LINE })))}"/>`,
    html`<path class="cross" d="${crosses(gone.map(({ ageMs }) => ({ x: at(ageMs), y: LINE })))}"/>`,
    label(0, HEIGHT - 4, 'at their end'),
    label(WIDTH, HEIGHT - 4, `documented ${duration(documentedMs)}`, 'end'),
  ]);
}

export const retention: KindOfLimit<RetentionLimit> = {
  word: 'retention',
  documented: ({ value }) => `${duration(value)} after completion`,
  amount: (amount) => amount,
  value: duration,
  row: (limit, _own, { watches }) => describeRetention(limit, watches),
};

export const retentionDrawing: Drawing<'retention'> = { retention: renderRetention };
