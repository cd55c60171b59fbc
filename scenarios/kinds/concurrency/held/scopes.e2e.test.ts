/** Limits that are counted apart by what they should not be: found where it shows, and else beside what shows it. */
import type { IncomingMessage } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { exactConcurrency } from '../../../../reports/verdicts/testing/facts.ts';
import { heldAtMost } from './amounts.ts';
import {
  addressOf,
  type CountingOptions,
  connectionOf,
  keyOf,
  methodOf,
  processesOf,
  startCounting,
} from './testing/counting-server.ts';
import { judgedAt, limitOf } from './testing/judged.ts';

/** All of these wait, several at a time, so each has its own and all are closed in the end. */
const opened: { readonly close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

async function counting(options: CountingOptions) {
  const server = await startCounting(options);
  opened.push(server);
  return server;
}

const LIMIT = 20;
const EXTRA = 3;
const further = { most: heldAtMost(LIMIT, EXTRA, 100) };

test.concurrent('four processes that count for themselves take four times the limit, and that is measured', async () => {
  const server = await counting({ atOnce: LIMIT, scope: processesOf(4) });
  const { words, measured, facts } = await judgedAt(server.url, limitOf('cancel', LIMIT), further);
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  // Where one process has more connections than another, the first refusal comes before all of them are full.
  expect(measured?.lower).toBeGreaterThan(3 * LIMIT);
  expect(measured?.upper).toBeLessThanOrEqual(4 * LIMIT);
  expect(facts.further?.refusedEarly).toBeGreaterThan(0);
});

test.concurrent('GET and POST that are counted apart take twice the limit', async () => {
  const server = await counting({ atOnce: LIMIT, scope: methodOf });
  const { words, measured } = await judgedAt(server.url, limitOf('status', LIMIT), further);
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  expect(measured).toEqual({ lower: 2 * LIMIT, upper: 2 * LIMIT });
});

test.concurrent('a limit that is three times too high is measured', async () => {
  const server = await counting({ atOnce: 3 * LIMIT });
  const { words, measured } = await judgedAt(server.url, limitOf('cancel', LIMIT), further);
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  expect(measured).toEqual({ lower: 3 * LIMIT, upper: 3 * LIMIT });
});

test.concurrent('connections that are counted apart are found next to a limit that shows that held requests count', async () => {
  const server = await counting({ atOnce: LIMIT, scope: connectionOf });
  const row = limitOf('cancel', LIMIT);
  const alone = await judgedAt(server.url, row, further);
  expect(alone.words).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
  expect(alone.claims.enforced?.reason).toContain(`${further.most - 1} were held at once and none was refused`);
  const sibling = exactConcurrency('run.concurrency', 200);
  const beside = await judgedAt(server.url, row, further, [sibling]);
  expect(beside.words).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  const getOnly = exactConcurrency('requests.concurrency', 2);
  const unlike = await judgedAt(server.url, row, further, [getOnly]);
  expect(unlike.words).toMatchObject({ enforced: 'inconclusive' });
});

test.concurrent('no more is opened than was announced, and what was opened beyond the waves never becomes a request', async () => {
  const server = await counting({});
  await judgedAt(server.url, limitOf('cancel', LIMIT), { most: 70 });
  // One is completed by itself first: does that tell that it is refused?
  expect(server.most()).toBe(69);
  const cancels = server.answered.filter(({ path }) => path.includes('/cancel/'));
  expect(cancels).toHaveLength(LIMIT + EXTRA + 1);
});

async function perAddress(scope: (request: IncomingMessage) => string, otherAddress = '127.0.0.2') {
  const server = await counting({ atOnce: LIMIT, scope });
  return { server, ...(await judgedAt(server.url, limitOf('inference', LIMIT), { otherAddress })) };
}

test.concurrent('an address is spared while another has all its slots taken', async () => {
  const { server, words, facts } = await perAddress(addressOf);
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'holds', 'per-address': 'holds' });
  expect(facts.elsewhere).toMatchObject({ address: '127.0.0.2', meanwhile: { opened: 3, held: 3 } });
  expect(server.answered.filter(({ address }) => address.endsWith('127.0.0.2'))).toHaveLength(4);
});

test.concurrent.each([
  ['nothing but one number', () => ''],
  ['the key', keyOf],
])('a limit that is counted by %s refuses the other address', async (_, scope) => {
  const { words, claims } = await perAddress(scope);
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', 'per-address': 'broken' });
  expect(claims['per-address']?.observed).toContain('127.0.0.2');
});

test.concurrent('an address that is none of this machine is no fault of the target', async () => {
  const { words, claims } = await perAddress(addressOf, '203.0.113.7');
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', 'per-address': 'inconclusive' });
  expect(claims['per-address']?.reason).toContain('--other-address');
});
