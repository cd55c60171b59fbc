/** The timeline of a rate limit as text: when requests were admitted and refused, in a few dozen columns. */
import type { ResultCheck, Results } from '../schemas/results.ts';
import { duration, number } from '../schemas/thousands.ts';

export interface Timeline {
  readonly admitted: string;
  readonly refused: string;
}

const COLUMNS = 60;
const BARS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Undefined for a check of anything but a rate limit, or where nothing was sent. */
export function timelineOf({ id }: Pick<ResultCheck, 'id'>, { limits }: Pick<Results, 'limits'>): Timeline | undefined {
  const limit = limits.find(({ checks }) => checks.includes(id));
  const picture = limit?.pictures?.find((one) => one.kind === 'arrivals');
  if (!picture) return undefined;
  const { admitted, refused, binMs, windowMs } = picture;
  const bins = Math.max(admitted.length, refused.length);
  const per = Math.max(1, Math.ceil(bins / COLUMNS));
  const most = number(Math.max(0, ...(picture.inWindow ?? [])));
  const inWindow = picture.inWindow ? `, at most ${most} within ${duration(windowMs)}` : '';
  return {
    admitted: `${barsOf(admitted, bins, per)} over ${duration(bins * binMs)}${inWindow}`,
    refused: `${barsOf(refused, bins, per)} ${number(refused.reduce((sum, count) => sum + count, 0))} in all`,
  };
}

function barsOf(counts: readonly number[], bins: number, per: number): string {
  const columns = Array.from({ length: Math.ceil(bins / per) }, (_, column) =>
    counts.slice(column * per, (column + 1) * per).reduce((sum, count) => sum + count, 0),
  );
  const top = Math.max(1, ...columns);
  return columns.map((count) => BARS[Math.ceil((count / top) * (BARS.length - 1))]).join('');
}
