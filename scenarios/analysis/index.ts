/** Ledgers -> facts, one function for each kind of probe. Pure: what was sent and answered in, facts out. */
export { analyseConcurrency } from './concurrency.ts';
export { analyseInferencePayload } from './inference-payload.ts';
export { analysePayload } from './payload.ts';
export { analyseQueue } from './queue.ts';
export { analyseRate, analyseUnlimited } from './rate/index.ts';
export { analyseRefusedJobs } from './refused-job.ts';
