/** Limits on the size of a body: which were taken and which refused, whole and as what. */
import type { PayloadFacts } from '../../../schemas/facts.ts';
import type { PayloadLimit } from '../../../schemas/limits.ts';
import { INFERENCE_PAYLOAD } from '../../../schemas/load-checks.ts';
import { number } from '../../../schemas/thousands.ts';
import { limitRow } from '../../verdicts/limit-row.ts';
import { closest } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { judgeInferencePayload } from './inference.ts';
import { judgePayload } from './judge.ts';
import { renderBytes } from './picture.ts';
import { judgeRefusedJobs } from './refused-job.ts';
import { bytesPictures, measurePayload } from './sides.ts';

const BYTES_PER_MEGABYTE = 1_000_000;

export const payload: KindOfLimit<PayloadLimit> = {
  word: 'payload',
  documented: ({ value, upperReading }) =>
    `${number(value / BYTES_PER_MEGABYTE)} MB (${number(value)} bytes must pass, ${number(upperReading + 1)} must not)`,
  amount: (amount, count) => nouns(amount, count, 'byte'),
  row({ value }, own) {
    const documented = { value };
    const probe = closest(
      own.filter((one): one is PayloadFacts => one.kind === 'payload'),
      measurePayload,
    );
    if (!probe) return { documented, measured: null };
    return { documented, measured: measurePayload(probe), pictures: bytesPictures(probe), health: probe.health };
  },
};

export const payloadJudges: Judges<'payload' | 'refused-job' | 'inference-payload'> = {
  payload: { judge: (facts, { table }) => judgePayload(facts, limitRow(facts.limitId, 'content-bytes', table)) },
  'refused-job': { judge: (facts, { table }) => judgeRefusedJobs(facts, table) },
  'inference-payload': { judge: (facts) => ({ [INFERENCE_PAYLOAD]: judgeInferencePayload(facts) }) },
};

export const payloadDrawing: Drawing<'bytes'> = { bytes: renderBytes };
