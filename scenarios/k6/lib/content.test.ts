import { expect, test } from 'vitest';
import type { OutgoingRequest } from '../../execute/requests.ts';
import { Contents } from './content.ts';

const run: OutgoingRequest = { operation: 'run', method: 'POST', url: 'http://x/run', body: '{}' };
const about = { method: 'GET', url: 'http://x', body: null, jobId: 'job-17' } as const;
const status: OutgoingRequest = { operation: 'status', ...about };

test.each<[string, OutgoingRequest, string[], string]>([
  ['the like of the first', status, ['{"id":"job-17"}', '{"id":"job-17","more":1}'], ''],
  ['no JSON', status, ['{"id":"job-17"}', 'oops job-17'], 'without a field'],
  ['nothing', status, ['{"id":"job-17"}', ''], 'without a field'],
  ['null', status, ['{"id":"job-17"}', 'null'], 'without a field'],
  ['another job', status, ['{"id":"job-17"}', '{"id":"job-18"}'], 'without the id of its job'],
  ['a job that is never named', status, ['{"is":"x"}', '{"is":"y"}'], ''],
  ['what is no JSON from the first on', status, ['done', 'done'], ''],
  ['an empty list', status, ['[1]', '[]'], ''],
  [
    'another state',
    status,
    ['{"id":"job-17","status":"DONE"}', '{"id":"job-17","status":"WAITS"}'],
    'with another state of its job',
  ],
  ['one id twice', run, ['{"id":"a"}', '{"id":"b"}', '{"id":"b"}'], 'the same as the one before'],
  ['one record twice', status, ['{"id":"job-17"}', '{"id":"job-17"}'], ''],
])('%s', (_, request, bodies, fault) => {
  const contents = new Contents();
  expect(bodies.map((body) => contents.faultOf(request, body)).at(-1)).toBe(fault);
});
