/** What the wiring check sends at most: part of what a run announces. */
import type { Amount } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { longestTemplate } from '../../schemas/workloads.ts';
import { DONE_JOBS, DONE_LOOKS } from './jobs.ts';

/** The list of models four times at most, and a short chat with each of five models, or a second opinion of three. */
const ON_INFERENCE = 10;
/** Of each instance its health, or else a job and its status, and jobs until they are done; then five more looks, and five quick jobs. */
const PER_INSTANCE = 3 + DONE_JOBS * (1 + DONE_LOOKS);
const ON_JOBS = 10;
/** One to each interface, as the load is sent. */
const THROUGH_K6 = 2;
const BODY_BYTES = 512;

export function wiringAmount({ baseUrl, jobBaseUrl, endpoints, workloads }: TargetConfig): Amount {
  const inference = baseUrl === null ? 0 : ON_INFERENCE;
  const jobs = jobBaseUrl === null || endpoints.length === 0 ? 0 : endpoints.length * PER_INSTANCE + ON_JOBS;
  const requests = inference + jobs + THROUGH_K6;
  return { requests, bytes: requests * (BODY_BYTES + longestTemplate(workloads)) };
}
