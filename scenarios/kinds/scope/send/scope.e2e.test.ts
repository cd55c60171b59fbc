/** Whose requests count together, asked of servers that count in every way there is, up to what is recorded of it. */
import { afterEach, expect, test } from 'vitest';
import { judgeScope } from '../../../../reports/kinds/scope/judge.ts';
import type { ScopeFacts } from '../../../../schemas/facts.ts';
import { decodeLedger } from '../../../../schemas/ledger.ts';
import { addressesFor } from '../../../execute/testing/addresses.ts';
import type { ScopeParameters } from '../../../probe.ts';
import {
  addressOf,
  type CountingOptions,
  type CountingServer,
  connectionOf,
  instOf,
  keyOf,
  startCounting,
} from '../../concurrency/held/testing/counting-server.ts';
import { analyseScope } from '../index.ts';
import { sendScope } from './index.ts';

let server: CountingServer;
afterEach(() => server.close());

const variants: ScopeParameters['variants'] = [
  { by: 'endpoint', name: 'inst-2' },
  { by: 'account', name: '' },
  { by: 'address', name: '127.0.0.2' },
  { by: 'connection', name: '' },
];

const spending: ScopeParameters = {
  kind: 'scope',
  limitId: 'requests.rate',
  instId: 'inst-1',
  operation: 'requests',
  technique: 'spend',
  limit: 4,
  variants,
  rounds: 3,
  most: 50,
};
const holding: ScopeParameters = {
  ...spending,
  limitId: 'requests.concurrency',
  technique: 'hold',
  limit: 2,
  variants: variants.slice(0, 3),
  rounds: 1,
  most: 10,
};

async function variant(parameters: ScopeParameters, options: CountingOptions, otherKey: string | null = 'other') {
  server = await startCounting(options);
  const sending = { addresses: addressesFor({ baseUrl: server.url }), workersMax: 1, key: 'own' };
  const env = { signal: new AbortController().signal, progress: () => {}, otherKey };
  const facts = analyseScope(parameters, decodeLedger(await sendScope(parameters, sending, env)), 1);
  return { facts, claim: judgeScope(facts)[`${parameters.limitId}.scope`] };
}

/** `endpoint together key apart …`. */
const wordsOf = ({ variants: answers }: ScopeFacts): string =>
  answers
    .map(({ by, admitted, refused }) => `${by} ${admitted > 0 ? 'apart' : refused > 0 ? 'together' : '?'}`)
    .join(', ');

const rate = { value: 4, windowMs: 60_000 };
const joined = (...parts: ((request: never) => string)[]) =>
  ((request: never) => parts.map((part) => part(request)).join(' ')) as CountingOptions['scope'];

test.each([
  ['nothing', () => 'all', 'endpoint together, account together, address together, connection together'],
  ['endpoint', instOf, 'endpoint apart, account together, address together, connection together'],
  ['key', keyOf, 'endpoint together, account apart, address together, connection together'],
  ['address', addressOf, 'endpoint together, account together, address apart, connection together'],
  ['connection', connectionOf, 'endpoint apart, account apart, address apart, connection apart'],
  ['endpoint and key', joined(instOf, keyOf), 'endpoint apart, account apart, address together, connection together'],
])('a rate limit that is counted by %s', async (_, scope, words) => {
  const { facts, claim } = await variant(spending, { rate, scope });
  expect(wordsOf(facts)).toBe(words);
  expect(claim?.verdict).toBe('holds');
  expect(server.answered.length).toBeLessThanOrEqual(spending.most);
});

test.each([
  ['nothing', () => 'all', 'endpoint together, account together, address together'],
  ['endpoint', instOf, 'endpoint apart, account together, address together'],
  ['key', keyOf, 'endpoint together, account apart, address together'],
  ['address', addressOf, 'endpoint together, account together, address apart'],
])('a limit on requests at once that is counted by %s', async (_, scope, words) => {
  const { facts, claim } = await variant(holding, { atOnce: 2, scope });
  expect(wordsOf(facts)).toBe(words);
  expect(facts.servedAfter).toBe(true);
  expect(claim?.verdict).toBe('holds');
  expect(server.answered.length).toBeLessThanOrEqual(holding.most);
});

test('a key that the target does not know is distinguished from one that is counted apart', async () => {
  const before = (request: Parameters<typeof keyOf>[0]) => (keyOf(request).includes('other') ? 404 : null);
  const { facts, claim } = await variant(spending, { rate, scope: instOf, before });
  expect(facts.variants[1]).toMatchObject({ admitted: 0, refused: 0, otherwise: { 404: 3 } });
  expect(claim?.observed).toContain('another account: unknown, answered 404 x 3');
});

test('a caller at whom the limit was free again is sent another time', async () => {
  let free: 'not yet' | 'now' | 'over' = 'not yet';
  const before = (request: Parameters<typeof keyOf>[0]) => {
    if (keyOf(request).includes('other')) {
      if (free === 'not yet') free = 'now';
      return 404;
    }
    if (free !== 'now') return null;
    free = 'over';
    return 200;
  };
  const { facts, claim } = await variant(spending, { rate, scope: instOf, before });
  expect(facts.variants[1]).toMatchObject({ otherwise: { 404: 3 }, unsure: 1 });
  expect(claim?.observed).toContain('another account: unknown, answered 404 x 3');
});

test('without another key none is sent, and the report names what it takes', async () => {
  const { facts, claim } = await variant(spending, { rate, scope: instOf }, null);
  expect(facts.variants[1]).toMatchObject({ admitted: 0, refused: 0, unsure: 0 });
  expect(claim?.observed).toContain('PROOFLOAD_OTHER_KEY');
});

test('where the limit is refilled all the time, nothing is said of what was served during it', async () => {
  let count = 0;
  const before = () => {
    count += 1;
    return count % 2 === 0 ? 200 : null;
  };
  const { facts } = await variant(spending, { rate: { value: 0, windowMs: 1 }, scope: () => 'all', before });
  expect(facts.variants.every(({ admitted, refused }) => admitted === 0 || refused === 0)).toBe(true);
});

test('without a limit nothing is reported, and no more is sent than was announced', async () => {
  const { facts, claim } = await variant(spending, { scope: instOf });
  expect(facts.usual).toEqual({ sent: spending.most, refused: 0 });
  expect(claim).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('could not be exhausted') });
});

test('a limit on requests at once that is not there is left in peace', async () => {
  const { facts, claim } = await variant(holding, { scope: instOf });
  expect(facts.usual).toEqual({ sent: 1, refused: 0 });
  expect(claim).toMatchObject({ verdict: 'not-observable', reason: expect.stringContaining('held') });
});

test('an address that is not this machine’s is no answer of the target’s', async () => {
  const elsewhere: ScopeParameters = { ...spending, variants: [{ by: 'address', name: '203.0.113.7' }] };
  const { claim, facts } = await variant(elsewhere, { rate, scope: instOf });
  expect(facts.variants[0]).toMatchObject({ admitted: 0, refused: 0, otherwise: { 0: 3 } });
  expect(claim).toMatchObject({ verdict: 'inconclusive', observed: expect.stringContaining('no answer x 3') });
});

test('an abort leaves no end mark', async () => {
  server = await startCounting({ rate, scope: instOf });
  const sending = { addresses: addressesFor({ baseUrl: server.url }), workersMax: 1, key: 'own' };
  const env = { signal: AbortSignal.abort(), progress: () => {}, otherKey: null };
  expect(await sendScope(spending, sending, env)).not.toContain('"end"');
});
