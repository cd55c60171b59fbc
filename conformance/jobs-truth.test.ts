/**
 * Services that are right in another way than the reference: the checks on what interface B takes and turns away may
 * not complain of any of them, and say so where a service gives them nothing to judge by.
 */
import { expect, test } from 'vitest';
import type { CheckFacts } from '../schemas/facts.ts';
import { at, isObject } from '../schemas/json.ts';
import { type Check, check } from './check.ts';
import { checks as auth } from './checks/jobs-auth.check.ts';
import { checks as ids } from './checks/jobs-ids.check.ts';
import { checks as input } from './checks/jobs-input.check.ts';
import { checks as invalid } from './checks/jobs-invalid.check.ts';
import { checks as odd } from './checks/jobs-odd.check.ts';
import { checks as submissions } from './checks/jobs-submissions.check.ts';
import { checks as methods } from './checks/methods.check.ts';
import { runPlain } from './run/plain.ts';
import { type Alter, openAltered } from './testing/altered.ts';
import { json } from './testing/fake-dispatcher.ts';

const own: readonly Check[] = [...auth, ...ids, ...input, ...invalid, ...methods, ...odd, ...submissions].map(check);

async function send(alter: Alter): Promise<readonly CheckFacts[]> {
  const target = openAltered(alter);
  const facts = await runPlain(own, { target, profile: 'gate', signal: new AbortController().signal });
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  return facts;
}

const complaints = (facts: readonly CheckFacts[]): readonly unknown[] =>
  facts.flatMap(({ id, level, outcome }) =>
    level !== 'observed' && outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds)
      ? [[id, outcome.expectations]]
      : [],
  );

const unanswered = (facts: readonly CheckFacts[]): string[] =>
  facts.filter(({ outcome }) => outcome.kind !== 'ran').map(({ id }) => id);

/** Changes the whole answers that are JSON objects. */
const bodies =
  (change: (body: Readonly<Record<string, unknown>>, status: number) => unknown): Alter =>
  ({ reply }) => {
    const body: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : null;
    return isObject(body) ? { ...reply, body: JSON.stringify(change(body, reply.status)) } : reply;
  };

const statuses =
  (change: (status: number) => number): Alter =>
  ({ reply }) => ({ ...reply, status: change(reply.status) });

const right: Readonly<Record<string, Alter>> = {
  'bad bodies are 422': statuses((status) => (status === 400 ? 422 : status)),
  'what is not there is a redirect to a page': ({ reply, id }) =>
    reply.status === 404 && id === 'health' ? { status: 307, headers: { location: '/' }, body: '' } : reply,
  'errors are no JSON': ({ reply }) =>
    reply.status >= 400 ? { ...reply, headers: { 'content-type': 'text/html' }, body: '<h1>No</h1>' } : reply,
  'records have more fields, in another order': bodies((body) => ({ zone: 'eu', ...body, links: [] })),
  'outputs are wrapped by the handler': bodies((body) =>
    'output' in body ? { ...body, output: { took: 1, result: { echo: body.output } } } : body,
  ),
  'strangers are not told that there is such a job': ({ reply, id }) =>
    reply.status === 401 && id !== 'run' ? { ...reply, status: 404 } : reply,
  'other methods are 404': statuses((status) => (status === 405 ? 404 : status)),
};

test.each(Object.keys(right))('%s', { timeout: 30_000 }, async (name) => {
  const facts = await send(right[name] ?? (({ reply }) => reply));
  expect(complaints(facts)).toEqual([]);
  expect(unanswered(facts)).toEqual([]);
});

test('where the handler gives nothing back as it was, its inputs are not judged', { timeout: 30_000 }, async () => {
  const facts = await send(
    bodies((body) => ('output' in body ? { ...body, output: JSON.stringify(body.output) } : body)),
  );
  expect(complaints(facts)).toEqual([]);
  expect(unanswered(facts)).toEqual(
    own
      .filter(({ clauses, id }) => clauses.includes('jobs.input') && /input/.test(id) && !/invalid/.test(id))
      .map(({ id }) => id),
  );
});

test('where health counts nothing in the usual words, nothing is said of jobs that should not be', async () => {
  const facts = await send(({ id, reply }) =>
    id === 'health' && reply.status === 200 ? json(200, { free: 1 }) : reply,
  );
  expect(complaints(facts)).toEqual([]);
  expect(unanswered(facts)).toEqual(own.filter(({ id }) => id.endsWith('.no-job')).map(({ id }) => id));
});

test('where the counts of health come late, nothing is said either', async () => {
  let last: unknown = null;
  const facts = await send(({ id, reply }) => {
    if (id !== 'health' || reply.status !== 200 || typeof reply.body !== 'string') return reply;
    const body: unknown = JSON.parse(reply.body);
    last ??= at(body, 'jobs');
    return json(200, { ...(isObject(body) ? body : {}), jobs: last });
  });
  expect(complaints(facts)).toEqual([]);
  expect(unanswered(facts)).toEqual(own.filter(({ id }) => id.endsWith('.no-job')).map(({ id }) => id));
});
