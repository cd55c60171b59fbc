/** Rows made from the limits table: another value for each limit, another window for each rate. */
import { type Limit, limits, limitsOf } from '../../schemas/limits.ts';
import type { Row } from './row.ts';
import { orElse, whole } from './takes.ts';

/** A limiter keeps a number for each request it admits in a window, so a rate can't be without end. */
const LARGEST_RATE = 1_000_000;

function valueRow(limit: Limit) {
  switch (limit.kind) {
    case 'requests':
      return { takes: whole({ unit: 'requests', max: LARGEST_RATE }), what: 'requests per window' };
    case 'concurrent-requests':
      return { takes: whole({ unit: 'requests' }), what: `requests at once per ${limit.per}` };
    case 'content-bytes':
      return { takes: whole({ unit: 'bytes' }), what: 'the largest body' };
    case 'queue':
      return { takes: whole({ unit: 'jobs' }), what: 'the longest queue that is never refused' };
    case 'retention':
      return { takes: whole({ unit: 'ms' }), what: 'how long a finished job is kept' };
  }
}

function limitRow(limit: Limit): Row {
  const { takes, what } = valueRow(limit);
  const off = limit.kind === 'retention' ? 'off keeps it for ever' : 'off never refuses';
  return {
    takes: orElse(takes, 'off'),
    meaning: `${limit.operations.join(', ')}: ${what}; ${off}.`,
    fills: [limit.id],
    ...(limit.kind === 'retention' ? {} : { shorthand: '--no-limits (off)' }),
    defaultWords:
      limit.kind === 'content-bytes'
        ? `${limit.value} or ${limit.upperReading}, as payloadReading says`
        : String(limit.value),
  };
}

/** `limits.ID`, for every limit of the table. */
export const limitRows: Readonly<Record<string, Row>> = Object.fromEntries(
  limits.map((limit) => [`limits.${limit.id}`, limitRow(limit)]),
);

/** `windows.ID`, for every rate limit of the table. */
export const windowRows: Readonly<Record<string, Row>> = Object.fromEntries(
  limitsOf('requests').map((limit): [string, Row] => [
    `windows.${limit.id}`,
    {
      takes: whole({ unit: 'ms', min: 1 }),
      meaning: `${limit.operations.join(', ')}: the window of the rate limit.`,
      fills: [limit.id],
      defaultWords: String(limit.windowMs),
    },
  ]),
);
