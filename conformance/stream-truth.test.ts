/**
 * Services that stream results in another way than the reference, or wrongly in one way: the checks on streams may not
 * blame a right one, nor a wrong one for what it did not do, and may not ask without end where the end is told otherwise.
 */
import { expect, test } from 'vitest';
import type { CheckFacts } from '../schemas/facts.ts';
import { at } from '../schemas/json.ts';
import { check } from './check.ts';
import { checks as isolation } from './checks/isolation.check.ts';
import { checks as streams } from './checks/stream.check.ts';
import { checks as readers } from './checks/stream-readers.check.ts';
import { CHUNK_DELAY_MS, MOST_READS } from './fixtures/stream.ts';
import { runPlain } from './run/plain.ts';
import { type Alter, openAltered, type Passing } from './testing/altered.ts';

interface Heard {
  readonly status: unknown;
  readonly outputs: readonly unknown[];
}

interface Written {
  readonly type: string;
  readonly body: string | AsyncIterable<string>;
}

type Write = (heard: Heard, passing: Passing) => Written | Promise<Written>;

interface Told {
  readonly facts: Readonly<Record<string, CheckFacts>>;
  /** The most that stream was asked about one job. */
  readonly most: number;
}

/** Runs the checks on streams against the reference with its good answers of stream written anew. */
async function send(write: Write, stateless = false): Promise<Told> {
  const reads = new Map<string, number>();
  const alter: Alter = async (passing) => {
    const { id, path, reply } = passing;
    if (stateless && id === 'status' && typeof reply.body === 'string') {
      return { ...reply, body: reply.body.replace(/"status":"[^"]*"/, '"state":3').replace(/"output"/, '"told"') };
    }
    if (id !== 'stream' || reply.status !== 200 || typeof reply.body !== 'string') return reply;
    reads.set(path, (reads.get(path) ?? 0) + 1);
    const body: unknown = JSON.parse(reply.body);
    const list = at(body, 'stream');
    const outputs = Array.isArray(list) ? list.map((one: unknown) => at(one, 'output')) : [];
    const written = await write({ status: at(body, 'status'), outputs }, passing);
    return { ...reply, headers: { 'content-type': written.type }, body: written.body };
  };
  const target = openAltered(alter);
  const checks = [...streams, ...readers, ...isolation].map(check);
  const all = await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
  expect(all.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  return { facts: Object.fromEntries(all.map((one) => [one.id, one])), most: Math.max(0, ...reads.values()) };
}

const blamed = ({ facts }: Told): string[] =>
  Object.values(facts)
    .filter(({ level, outcome }) => level !== 'observed' && outcome.kind === 'ran')
    .filter(({ outcome }) => outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds))
    .map(({ id }) => id);

const asJson = ({ status, outputs }: Heard) => ({
  type: 'application/json',
  body: JSON.stringify({ status, stream: outputs.map((output) => ({ output })) }),
});

const isOver = (status: unknown): boolean => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(status));
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const odd = (outputs: readonly unknown[]): readonly unknown[] =>
  outputs.map((one) => ({ word: LETTERS[Number(at(one, 'chunk'))], of: 4 }));
const asEvents = ({ status, outputs }: Heard) => ({
  type: 'text/event-stream',
  body: [
    ': open\r\n\r\n',
    ...outputs.map((output) => `event: chunk\r\ndata: ${JSON.stringify({ output })}\r\n\r\n`),
    isOver(status) ? `event: end\r\ndata: ${JSON.stringify({ status })}\r\n\r\n` : '',
  ].join(''),
});

const numberless = ['stream.results', 'stream.results.post', 'stream.late', 'stream.apart', 'stream.failing'];

test.each([
  ['a list', asJson],
  ['events', asEvents],
])('results in %s that carry no number have no order to judge, and the rest is seen', async (_name, write) => {
  const reported = await send((heard) => write({ ...heard, outputs: odd(heard.outputs) }));
  expect(blamed(reported).filter((id) => numberless.includes(id))).toEqual([]);
  for (const id of numberless)
    expect(reported.facts[id]?.outcome).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/no number/),
    });
  for (const id of ['stream.once', 'stream.incremental', 'stream.final'])
    expect(reported.facts[id]?.outcome.kind).toBe('ran');
  expect(blamed(reported).filter((id) => /once|incremental|final/.test(id))).toEqual([]);
});

/** Results of handlers that count in ways of their own. */
const counted: Readonly<Record<string, (chunk: number) => unknown>> = {
  'under a key of their own': (chunk) => ({ text: `${LETTERS[chunk]} 7`, meta: { index: chunk } }),
  'in a sentence, from 1': (chunk) => `part ${chunk + 1} of 4`,
  'as the number itself': (chunk) => chunk,
};
const counts = (outputs: readonly unknown[], count: (chunk: number) => unknown): readonly unknown[] =>
  outputs.map((one) => count(Number(at(one, 'chunk'))));

test.each(Object.entries(counted))('results that count %s have an order', async (_name, count) => {
  const sound = await send((heard) => asJson({ ...heard, outputs: counts(heard.outputs, count) }));
  for (const id of [...numberless, 'stream.once', 'stream.cancelled.chunks'])
    expect(sound.facts[id]?.outcome.kind).toBe('ran');
  expect(blamed(sound)).toEqual([]);
});

test.each(Object.entries(counted))('of results that count %s, one that is lost is missed', async (_name, count) => {
  const late = (heard: Heard) => isOver(heard.status) && heard.outputs.length > 1;
  const reported = await send((heard) =>
    asJson({ ...heard, outputs: counts(late(heard) ? heard.outputs.slice(0, -1) : heard.outputs, count) }),
  );
  expect(blamed(reported)).toContain('stream.late');
  expect(blamed(reported)).not.toContain('stream.results');
});

test('results that are all alike are neither repeated nor all there at once', async () => {
  const reported = await send((heard) => asJson({ ...heard, outputs: heard.outputs.map(() => 'a part') }));
  for (const id of ['stream.incremental', 'stream.final']) expect(reported.facts[id]?.outcome.kind).toBe('ran');
  expect(blamed(reported).filter((id) => /once|incremental|final/.test(id))).toEqual([]);
});

test('results that are all there at once do not blame a service whose handler is not known to pause', async () => {
  const kept = new Map<string, unknown[]>();
  const reported = await send(({ status, outputs }, { path }) => {
    const all = [...(kept.get(path) ?? []), ...odd(outputs)];
    kept.set(path, isOver(status) ? [] : all);
    return asJson({ status, outputs: isOver(status) ? all : [] });
  });
  expect(reported.facts['stream.incremental']?.outcome).toMatchObject({ kind: 'inconclusive' });
});

test('a stream that is kept back until the job ends, and then says so apart, is late', async () => {
  const kept = new Map<string, readonly unknown[]>();
  const reported = await send(async (heard, { path, sleep }) => {
    const outputs = [...(kept.get(path) ?? []), ...heard.outputs];
    kept.set(path, outputs);
    if (!isOver(heard.status)) return asEvents({ ...heard, outputs: [] });
    const [results, end] = [asEvents({ status: '', outputs }).body, asEvents({ ...heard, outputs: [] }).body];
    async function* later(): AsyncGenerator<string> {
      yield results;
      await sleep(CHUNK_DELAY_MS / 10);
      yield end;
    }
    return { type: 'text/event-stream', body: later() };
  });
  expect(blamed(reported)).toContain('stream.incremental');
});

test('words that are no JSON are not taken for results that are missing', async () => {
  const reported = await send(({ outputs }) => ({ type: 'text/plain', body: outputs.map(() => 'a part ').join('') }));
  expect(reported.facts['stream.results']?.outcome).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/no chunk can be read/),
  });
});

test.each<[string, (heard: Heard) => Written]>([
  ['events', asEvents],
  [
    'lines',
    ({ status, outputs }) => ({
      type: 'application/x-ndjson',
      body: [...outputs, ...(isOver(status) ? [{ state: String(status).toLowerCase() }] : [])]
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    }),
  ],
  ['a bare list without a state', ({ outputs }) => ({ type: 'application/json', body: JSON.stringify(outputs) })],
])('what is streamed as %s from its start each time is read to its end and no further', async (_name, write) => {
  const kept = new Map<string, readonly unknown[]>();
  const reported = await send(({ status, outputs }, { path }) => {
    const all = [...(kept.get(path) ?? []), ...outputs];
    kept.set(path, all);
    return write({ status, outputs: all });
  });
  expect(reported.facts['stream.results']?.outcome).toMatchObject({ kind: 'ran', expectations: [{ holds: true }] });
  expect(reported.facts['stream.results.post']?.outcome).toMatchObject({
    kind: 'ran',
    expectations: [{ holds: true }],
  });
  const documented = ['stream.once', 'stream.late', 'stream.failing', 'stream.foreign-instance'];
  expect(blamed(reported).filter((id) => documented.includes(id))).toEqual([]);
  expect(blamed(reported)).toContain('stream.final');
  expect(reported.most).toBeLessThan(MOST_READS);
});

test('where neither stream nor status has a state that can be read, few more responses are requested', async () => {
  const reported = await send(({ outputs }) => ({ type: 'application/json', body: JSON.stringify(outputs) }), true);
  expect(reported.facts['stream.results']?.outcome).toMatchObject({ kind: 'ran', expectations: [{ holds: true }] });
  expect(reported.facts['stream.once']?.outcome).toMatchObject({ kind: 'ran', expectations: [{ holds: true }] });
  expect(reported.most).toBeLessThan(MOST_READS);
});

test.each<[string, (outputs: readonly unknown[], status: unknown) => readonly unknown[]]>([
  ['loses the last chunk', (outputs, status) => (isOver(status) ? outputs.slice(0, -1) : outputs)],
  ['repeats chunks', (outputs) => outputs.flatMap((one) => [one, one])],
])('a stream that %s in general says nothing about other callers', async (_name, change) => {
  const reported = await send(({ status, outputs }) => asJson({ status, outputs: change(outputs, status) }));
  expect(blamed(reported)).toContain('stream.late');
  for (const id of ['stream.foreign-instance', 'stream.other-key'])
    expect(reported.facts[id]?.outcome).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/only its owner reads/),
    });
});

test('a job that was over before it was cancelled does not show which waiting client learns of a cancel', async () => {
  const reported = await send(async (heard, { sleep }) => {
    // Held until the end, as one long answer is.
    if (!isOver(heard.status)) await sleep(4000);
    return asEvents({ ...heard, status: 'COMPLETED' });
  });
  for (const id of ['stream.cancelled', 'stream.cancelled.chunks'])
    expect(reported.facts[id]?.outcome).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/had ended/),
    });
});
