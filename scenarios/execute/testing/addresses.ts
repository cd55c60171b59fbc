/** Where the tests of the senders send to, and what they say of themselves. */
import type { Addresses } from '../requests.ts';

export function addressesFor(given: Partial<Addresses>): Addresses {
  const jobBaseUrl = given.jobBaseUrl ?? given.baseUrl ?? 'http://jobs.example';
  return { baseUrl: null, jobBaseUrl, model: null, instId: 'inst-1', runId: 'run-1', ...given };
}
