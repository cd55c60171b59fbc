/** Streams of a server that keeps its own record, read as they come. */
import { performance } from 'node:perf_hooks';
import { afterEach, expect, test } from 'vitest';
import { decodeLedger } from '../../../../schemas/ledger.ts';
import { addressesFor } from '../../../execute/testing/addresses.ts';
import type { StreamTimingParameters } from '../../../probe.ts';
import { analyseStreamTiming } from '../index.ts';
import { sendStreams } from './index.ts';
import { type StreamChoices, type StreamServer, startStreams } from './testing/server.ts';

const TOKENS = 5;
const APART_MS = 60;
/** A ledger keeps microseconds, and a token's moment is the sum of two, ms. */
const ROUNDING_MS = 0.002;
let server: StreamServer;
afterEach(() => server.close());

const parameters = (operation: 'chat' | 'stream'): StreamTimingParameters => ({
  kind: 'stream-timing',
  instId: 'inst-1',
  operation,
  streams: 2,
  tokens: TOKENS,
  apartMs: operation === 'chat' ? 0 : APART_MS,
  readsMost: operation === 'chat' ? 0 : 3 * TOKENS,
});

async function timed(operation: 'chat' | 'stream', choices: Partial<StreamChoices> = {}, signal = never) {
  server = await startStreams({ tokens: TOKENS, apartMs: APART_MS, ...choices });
  const sending = { addresses: addressesFor({ baseUrl: server.url, jobBaseUrl: server.url }), workersMax: 1, key: 'k' };
  const reported: number[] = [];
  const before = performance.now();
  const sent = sendStreams(parameters(operation), sending, { signal, progress: (done) => reported.push(done) });
  const after = performance.now();
  const text = await sent;
  const ledger = decodeLedger(text);
  const facts = analyseStreamTiming(parameters(operation), decodeLedger(text), 2);
  return { text, ledger, reported, facts, before, after };
}
const never = new AbortController().signal;

/**
 * When each token was written, and the first and the last moment at which it may have come, on the clock of this process:
 * the ledger began while `sendStreams` was called.
 */
function pairs({ ledger, facts, before, after }: Awaited<ReturnType<typeof timed>>) {
  const begins = ledger.entries.filter(({ phase }) => phase === 'completion' || phase === 'submit');
  return facts.streams.map(({ tokensMs }, stream) => {
    const cameMs = tokensMs.map((ms) => (begins[stream]?.sentMs ?? Number.NaN) + ms);
    return {
      earliest: cameMs.map((ms) => before + ms),
      latest: cameMs.map((ms) => after + ms),
      written: server.written[stream] ?? [],
    };
  });
}

test.each(['chat', 'stream'] as const)('%s: every token is timed, none before it was written', async (operation) => {
  const run = await timed(operation);
  for (const { earliest, latest, written } of pairs(run)) {
    expect([latest.length, written.length]).toEqual([TOKENS, TOKENS]);
    expect(written.filter((ms, token) => !((latest[token] ?? Number.NaN) >= ms - ROUNDING_MS))).toEqual([]);
    // It came while the others were still to be made.
    expect(earliest[0]).toBeLessThan(written.at(-1) ?? Number.NaN);
  }
  expect(run.facts.health).toMatchObject({ complete: true, unanswered: 0, unreadable: 0 });
  expect(run.reported.at(-1)).toBe(run.ledger.entries.length);
});

test('no more is sent than was announced, and every request names the run', async () => {
  const run = await timed('stream');
  const { streams, readsMost } = parameters('stream');
  expect(server.requests.length).toBe(run.ledger.entries.length);
  expect(server.requests.length).toBeLessThanOrEqual(streams * (1 + readsMost));
  expect(server.requests.filter((one) => one.startsWith('POST'))).toHaveLength(streams);
  expect(server.requests[0]).toContain('proofload run-1');
  expect(run.text).not.toContain('"k"');
});

test('a completion that is held back comes in one piece', async () => {
  const { facts } = await timed('chat', { buffers: true });
  for (const { tokensMs, wholeMs } of facts.streams) {
    expect(new Set(tokensMs).size).toBe(1);
    expect(tokensMs[0]).toBeGreaterThan(wholeMs / 2);
  }
});

test('a refusal is a stream without a token', async () => {
  const { facts } = await timed('chat', { refuses: 429 });
  expect(facts.streams).toMatchObject([
    { status: 429, tokensMs: [] },
    { status: 429, tokensMs: [] },
  ]);
});

test('a run that is stopped leaves a ledger without its end', async () => {
  const { facts, ledger } = await timed('chat', {}, AbortSignal.timeout(APART_MS));
  expect(ledger.marks.map(({ mark }) => mark)).toEqual(['start']);
  expect(facts.health.complete).toBe(false);
});
