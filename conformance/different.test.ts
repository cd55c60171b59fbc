/**
 * A service that keeps every documented promise and no convention: other field names, other statuses, other shapes. Not
 * one documented check may fail on it, and few may be left without an answer.
 */
import { expect, test } from 'vitest';
import { at } from '../schemas/json.ts';
import type { DocumentedOperationId } from '../schemas/operations.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { type Alter, openAltered } from './testing/altered.ts';
import { json } from './testing/fake-dispatcher.ts';

const STATES: Readonly<Record<string, string>> = {
  IN_QUEUE: 'queued',
  IN_PROGRESS: 'processing',
  COMPLETED: 'succeeded',
  FAILED: 'error',
  CANCELLED: 'canceled',
  TIMED_OUT: 'expired',
};

const stateOf = (body: unknown): string => STATES[String(at(body, 'status'))] ?? 'queued';

/** The record in other words, a layer deeper. */
function record(body: unknown): unknown {
  const output = at(body, 'output');
  return { job: { jobId: at(body, 'id'), state: stateOf(body), ...(output === undefined ? {} : { result: output }) } };
}

function requests(body: unknown): unknown {
  const list = at(body, 'requests');
  return {
    page: { items: Array.isArray(list) ? list.map((one) => ({ jobId: at(one, 'id'), state: stateOf(one) })) : [] },
  };
}

const answers: Partial<Record<DocumentedOperationId, (body: unknown) => unknown>> = {
  models: (body) => (at(body, 'data') ? at(body, 'data') : body),
  run: (body) => ({ jobId: at(body, 'id'), state: stateOf(body) }),
  runsync: record,
  status: record,
  'status-sync': record,
  stream: (body) => ({ state: stateOf(body), parts: at(body, 'stream') }),
  cancel: () => ({ done: true }),
  'purge-queue': (body) => ({ purged: at(body, 'removed') }),
  health: (body) => ({ pool: { free: at(body, 'workers', 'idle'), busy: at(body, 'workers', 'running') } }),
  requests,
};

const different: Alter = ({ id, reply }) => {
  if (typeof reply.body !== 'string') return reply;
  if (reply.status === 404) return json(410, { title: 'gone' });
  if (reply.status === 401) return json(403, { title: 'forbidden' });
  if (reply.status === 402) return json(403, { title: 'no credit' });
  if (reply.status >= 400) return json(422, { title: 'unprocessable' });
  const change = answers[id];
  return change ? json(id === 'run' ? 202 : 200, change(JSON.parse(reply.body))) : reply;
};

/** That statistics are true is documented, but not under which names they are. */
const UNREADABLE = ['health.counts-queued', 'health.counts-running', 'health.workers-max'];

test('a different but correct service fails no documented check', { timeout: 60_000 }, async () => {
  const target = openAltered(different);
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
  const documented = facts.filter((one) => one.level === 'documented');
  const broken = documented.filter(
    ({ outcome }) => outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds),
  );
  expect(broken.map(({ id, outcome }) => [id, outcome])).toEqual([]);
  const unanswered = documented.filter(({ outcome }) => outcome.kind !== 'ran');
  expect(unanswered.map(({ id }) => id)).toEqual(UNREADABLE);
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
});
