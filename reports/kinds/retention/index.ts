/** How long finished jobs stay: no probe of the load, but looks at them in between. */
import type { RetentionLimit } from '../../../schemas/limits.ts';
import { duration } from '../../../schemas/thousands.ts';
import type { Drawing, KindOfLimit } from '../kind.ts';
import { describeRetention } from './measure.ts';
import { renderRetention } from './picture.ts';

export const retention: KindOfLimit<RetentionLimit> = {
  word: 'retention',
  documented: ({ value }) => `${duration(value)} after completion`,
  amount: (amount) => amount,
  value: duration,
  row: (limit, _own, { watches }) => describeRetention(limit, watches),
};

export const retentionDrawing: Drawing<'retention'> = { retention: renderRetention };
