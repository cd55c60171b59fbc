/** What the wiring check sends at most: part of what a run announces. */
import type { TargetConfig } from '../../schemas/target.ts';
import { longestTemplate } from '../../schemas/workloads.ts';
import type { Amount } from '../target/allowance.ts';

/** The list of models four times at most, and three short chats, or a second opinion of as many. */
const ON_INFERENCE = 10;
/** After one look at each instance: five more, and three quick jobs. */
const ON_JOBS = 8;
const BODY_BYTES = 512;

export function wiringAmount({ baseUrl, jobBaseUrl, endpoints, workloads }: TargetConfig): Amount {
  const inference = baseUrl === null ? 0 : ON_INFERENCE;
  const jobs = jobBaseUrl === null || endpoints.length === 0 ? 0 : endpoints.length + ON_JOBS;
  const requests = inference + jobs;
  return { requests, bytes: requests * (BODY_BYTES + longestTemplate(workloads)) };
}
