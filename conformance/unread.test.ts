/**
 * Services whose answers about jobs have names and words that nobody can know, or none: what the suite's own words in
 * them prove is judged, and of the rest it is said that it can't be understood. And services that are wrong in just
 * that way, which must not be taken for those.
 */
import { expect, test } from 'vitest';
import type { CheckFacts } from '../schemas/facts.ts';
import { isObject, type JsonObject } from '../schemas/json.ts';
import { type Check, check } from './check.ts';
import { checks as cancel } from './checks/cancel.check.ts';
import { checks as lifeCancel } from './checks/life-cancel.check.ts';
import { checks as lifeTimes } from './checks/life-times.check.ts';
import { checks as run } from './checks/run.check.ts';
import { checks as runsync } from './checks/runsync.check.ts';
import { checks as status } from './checks/status.check.ts';
import { runPlain } from './run/plain.ts';
import { type Alter, openAltered } from './testing/altered.ts';

const own: readonly Check[] = [...run, ...runsync, ...status, ...cancel, ...lifeCancel, ...lifeTimes].map(check);
/** As many minutes as three quick jobs whose ends are not seen would take. */
const LONG_MS = 180_000;

interface SentRequest {
  readonly fails: readonly string[];
  readonly tookMs: number;
  readonly of: (id: string) => CheckFacts['outcome'] | undefined;
}

async function send(alter: Alter): Promise<SentRequest> {
  const target = openAltered(alter);
  const began = target.clock.now();
  const facts = await runPlain(own, { target, profile: 'gate', signal: new AbortController().signal });
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  const fails = facts.filter(
    ({ level, outcome }) =>
      level === 'documented' && outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds),
  );
  const of = (id: string): CheckFacts['outcome'] | undefined => facts.find((one) => one.id === id)?.outcome;
  return { fails: fails.map(({ id }) => id), tookMs: target.clock.now() - began, of };
}

/** Changes the answers that are JSON objects and succeeded. */
const bodies =
  (change: (body: JsonObject, id: string, path: string) => unknown): Alter =>
  ({ reply, id, path }) => {
    const body: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : null;
    return isObject(body) && reply.status < 300 ? { ...reply, body: JSON.stringify(change(body, id, path)) } : reply;
  };

const renamed = (body: JsonObject, key: string, as: string, value = body[key]): JsonObject => {
  const { [key]: _gone, ...rest } = body;
  return key in body ? { ...rest, [as]: value } : body;
};

const ORDER = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
const WORDS = ['parked', 'cooking', 'ready', 'broken', 'killed', 'late'];
const stated = (body: JsonObject, words: readonly unknown[]): JsonObject =>
  typeof body.status === 'string' ? renamed(body, 'status', 'state', words[ORDER.indexOf(body.status)]) : body;

test('an output under another name is found by its word', { timeout: 30_000 }, async () => {
  const { fails, of } = await send(bodies((body) => renamed(body, 'output', 'answer')));
  expect(fails).toEqual([]);
  for (const id of ['run.completes', 'run.outputs-apart', 'run.output-exact', 'runsync.waits', 'status.outputs']) {
    expect(of(id)?.kind, id).toBe('ran');
  }
});

test('bare results are results, and a runsync without an id fails no other check', async () => {
  const { fails, of } = await send(bodies((body, id) => (id === 'runsync' ? (body.output ?? body) : body)));
  expect(fails).toEqual([]);
  for (const id of ['runsync.results', 'runsync.waits', 'runsync.results-apart', 'runsync.results-crowd']) {
    expect(of(id)?.kind, id).toBe('ran');
  }
  expect(of('runsync.ids-unique')).toMatchObject({ reason: 'runsync returns no id' });
  expect(of('runsync.available')).toMatchObject({ kind: 'inconclusive' });
});

test.each([
  ['words', WORDS],
  ['numbers', [0, 1, 2, 3, 4, 5]],
])('states in other %s: nothing fails, no wait is long, and the reason is reported', async (_, words) => {
  const { fails, of, tookMs } = await send(bodies((body) => renamed(stated(body, words), 'output', 'answer')));
  expect(fails).toEqual([]);
  expect(of('status.job-status')?.kind).toBe('ran');
  for (const id of ['cancel.stays', 'status.running']) {
    expect(of(id), id).toMatchObject({ kind: 'inconclusive', reason: expect.stringContaining('unknown state') });
  }
  expect(tookMs).toBeLessThan(LONG_MS);
});

test('a record with nothing but the output has no status', async () => {
  const { fails } = await send(
    bodies(({ status: state, ...rest }, id) => (id === 'status' ? rest : { status: state, ...rest })),
  );
  expect(fails).toContain('status.job-status');
});

test('what was sent is not what came out', async () => {
  const withInput = bodies(({ output, ...body }) =>
    output === undefined ? body : { ...body, input: { echo: output }, request: { input: { echo: output } } },
  );
  const { fails } = await send(withInput);
  for (const id of ['run.completes', 'runsync.results', 'status.outputs']) expect(fails).toContain(id);
});

test('outputs that are mixed up from the first job on are found to be', async () => {
  let last: unknown = 'pl-local-0123456789abcdef';
  const { fails } = await send(
    bodies((body, id) => {
      if (body.output === undefined || (id !== 'status' && id !== 'runsync')) return body;
      const mixed = { ...body, output: last };
      last = body.output;
      return mixed;
    }),
  );
  for (const id of ['run.outputs-apart', 'run.outputs-crowd', 'runsync.results-apart']) expect(fails).toContain(id);
});

test('the id that runsync returned is unknown to status', async () => {
  const { fails } = await send(
    bodies((body, id) => (id === 'runsync' ? { ...body, id: '00000000-0000-4000-8000-000000000000' } : body)),
  );
  expect(fails).toContain('runsync.available');
});
