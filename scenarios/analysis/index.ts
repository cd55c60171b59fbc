/** Ledgers -> facts, one function for each kind of probe. Pure: what was sent and answered in, facts out. */
export { analyseConcurrency } from '../kinds/concurrency/measure.ts';
export { analyseInferencePayload } from '../kinds/inference-payload/measure.ts';
export { analysePayload } from '../kinds/payload/measure.ts';
export { analyseQueue } from '../kinds/queue/measure.ts';
export { analyseRate, analyseUnlimited } from '../kinds/rate/measure/index.ts';
export { analyseRefusedJobs } from '../kinds/refused-job/measure.ts';
