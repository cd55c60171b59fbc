/** All kinds of limits, and of what probes find out. */
import type { LoadFacts, Picture } from '../../schemas/facts.ts';
import type { Limit } from '../../schemas/limits.ts';
import { CHAT_STREAM_TIMING, HEALTH_UNLIMITED, RESULT_STREAM_TIMING } from '../../schemas/load-checks.ts';
import type { Html } from '../html/html.ts';
import { claimOf } from '../verdicts/claim.ts';
import { concurrency, concurrencyDrawing, concurrencyJudges } from './concurrency/index.ts';
import type { Drawing, Judge, Judges, KindOfLimit } from './kind.ts';
import { payload, payloadDrawing, payloadJudges } from './payload/index.ts';
import { queue, queueDrawing, queueJudges } from './queue/index.ts';
import { rate, rateDrawing, rateJudges } from './rate/index.ts';
import { retention, retentionDrawing } from './retention/index.ts';
import { judgeScope } from './scope/judge.ts';
import { judgeStreamTiming } from './stream-timing/judge.ts';
import { judgeUnlimited } from './unlimited/judge.ts';

const kindsOfLimits: { readonly [K in Limit['kind']]: KindOfLimit<Extract<Limit, { readonly kind: K }>> } = {
  requests: rate,
  'concurrent-requests': concurrency,
  'content-bytes': payload,
  queue,
  retention,
};

export const kindOfLimit = ({ kind }: Pick<Limit, 'kind'>): KindOfLimit<Limit> =>
  kindsOfLimits[kind] as KindOfLimit<Limit>;

const judges: Judges<LoadFacts['kind']> = {
  ...rateJudges,
  ...concurrencyJudges,
  ...payloadJudges,
  ...queueJudges,
  unlimited: { judge: (facts, { table }) => ({ [HEALTH_UNLIMITED]: judgeUnlimited(facts, table) }) },
  'stream-timing': {
    judge: (facts) => ({
      [facts.operation === 'chat' ? CHAT_STREAM_TIMING : RESULT_STREAM_TIMING]: judgeStreamTiming(facts),
    }),
  },
  scope: { judge: judgeScope },
  missing: {
    judge: ({ checkIds, outcome }) => Object.fromEntries(checkIds.map((id) => [id, claimOf(outcome, 'an answer')])),
  },
};

export const judgeOf = ({ kind }: LoadFacts): Judge<LoadFacts> => judges[kind] as Judge<LoadFacts>;

const drawing: Drawing<Picture['kind']> = {
  ...rateDrawing,
  ...concurrencyDrawing,
  ...payloadDrawing,
  ...queueDrawing,
  ...retentionDrawing,
};

/** As inline SVG, drawn when the page is rendered: nothing is drawn in the browser. */
export const renderPicture = (picture: Picture): Html => (drawing[picture.kind] as (one: Picture) => Html)(picture);
