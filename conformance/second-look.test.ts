/**
 * What independent testers found the suite to say wrongly, or not at all, about services of their own: right ones that
 * are asked about in another place or form, and faults that only show on endpoints of another make.
 */
import { expect, test } from 'vitest';
import { realClock } from '../reference/clock.ts';
import { InProcessDispatcher } from '../reference/dispatcher.ts';
import { reading } from '../reference/mutants/mutant.ts';
import { applyMutants } from '../reference/mutants.ts';
import { defaultOptions, type ReferenceOptions } from '../reference/options.ts';
import { createService } from '../reference/service.ts';
import type { CheckOutcome } from '../schemas/facts.ts';
import { at } from '../schemas/json.ts';
import type { Credentials, EndpointConfig } from '../schemas/target.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { machineClock } from './target/clock.ts';
import { LOCAL_KEY } from './target/credentials.ts';
import { openReference } from './target/in-process.ts';
import { Target } from './target/target.ts';
import { openAltered } from './testing/altered.ts';
import { fakeConfig, json } from './testing/fake-dispatcher.ts';

async function outcome(target: Target, id: string): Promise<CheckOutcome> {
  const checks = allChecks.filter((one) => one.id === id);
  const [fact] = await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
  await target.close();
  return fact?.outcome ?? { kind: 'not-observable', needs: `a check ${id}` };
}

/** In a word: whether it was found good or bad, or that nothing was found. */
async function word(target: Target, id: string): Promise<string> {
  const one = await outcome(target, id);
  if (one.kind !== 'ran') return one.kind;
  return one.expectations.every(({ holds }) => holds) ? 'holds' : 'broken';
}

const NO_KEYS: Credentials = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };

/** The reference with these faults and endpoints, of which the suite is told others where `told` says so. */
function faulty(
  faults: readonly string[],
  instances: ReferenceOptions['instances'],
  reported?: readonly EndpointConfig[],
) {
  const options = { ...applyMutants(defaultOptions({}), faults), instances };
  return openReference(reported ? { options, config: { ...fakeConfig, endpoints: reported } } : { options });
}

/** A service on the machine's time whose answers have no Date. */
function undated(aheadMs: number): Target {
  const clock = { ...realClock, now: () => realClock.now() + aheadMs };
  const service = createService(defaultOptions({}), { clock, random: Math.random });
  const credentials = { ...NO_KEYS, accessKey: LOCAL_KEY };
  const dispatcher = new InProcessDispatcher(service);
  return new Target({ config: fakeConfig, credentials, dispatcher, clock: machineClock, virtual: false });
}

test('without a Date the time of an answer is held against that of the machine', async () => {
  expect(await word(undated(0), 'chat.created')).toBe('holds');
  const days = 3 * 24 * 3600 * 1000;
  expect(await word(undated(days), 'chat.created')).toBe('broken');
});

const TWO = [
  { instId: 'one', workersMax: 1 },
  { instId: 'two', workersMax: 2 },
];

test('a list is searched for jobs of another endpoint, also where others use the two', async () => {
  const shared = TWO.map((one) => ({ ...one, dedicated: false }));
  expect(await word(faulty([], TWO, shared), 'requests.other-endpoint')).toBe('holds');
  expect(await word(faulty(['requests-of-all-endpoints'], TWO, shared), 'requests.other-endpoint')).toBe('broken');
});

test('a purge is seen to reach another endpoint also where that one has workers', async () => {
  expect(await word(faulty([], TWO), 'purge-queue.other-endpoint')).toBe('holds');
  expect(await word(faulty(['purge-everywhere'], TWO), 'purge-queue.other-endpoint')).toBe('broken');
  expect(await word(faulty(['purge-strands-others'], TWO), 'purge-queue.other-endpoint')).toBe('broken');
  const shared = TWO.map((one, index) => ({ ...one, dedicated: index === 0 }));
  expect(await outcome(faulty([], TWO, shared), 'purge-queue.other-endpoint')).toMatchObject({
    kind: 'not-observable',
    needs: expect.stringMatching(/few and without other users/) as string,
  });
});

test.each(['job_id', 'requestId'])('a row whose id is called %s is found', async (name) => {
  const rows = openAltered(({ id, reply }) => {
    const list = typeof reply.body === 'string' ? at(JSON.parse(reply.body), 'requests') : null;
    if (id !== 'requests' || !Array.isArray(list)) return reply;
    return json(200, { requests: list.map((one) => ({ [name]: at(one, 'id'), status: at(one, 'status') })) });
  });
  expect(await word(rows, 'requests.state')).toBe('holds');
});

test.each([
  ['k12345678', 'holds'],
  ['Acc-Key-1', 'holds'],
  ['0f3a9c0f3a9c', 'inconclusive'],
  ['01hv3zk9yq7m5w8x2r4t6n0cde', 'inconclusive'],
  ['1234-5678', 'inconclusive'],
])('whether the case of the letters of %s matters: %s', async (accessKey, expected) => {
  expect(await word(openReference({ credentials: { ...NO_KEYS, accessKey } }), 'models.auth.key-case')).toBe(expected);
});

test('a lenient service that makes something out of odd fields breaks no client', async () => {
  const made = reading('chat', (body) => ({
    ...body,
    ...('messages' in body ? { messages: [{ role: 'user', content: 'Hello.' }] } : {}),
    ...(typeof body.max_tokens === 'string' ? { max_tokens: 1 } : {}),
  }));
  const lenient = () => openReference({ options: made(defaultOptions({})) });
  for (const aspect of ['max-tokens-text', 'content-number', 'content-object', 'role-number']) {
    expect(await word(lenient(), `chat.invalid.${aspect}`)).toBe('holds');
  }
  expect(await word(lenient(), 'chat.invalid.messages-null')).toBe('broken');
  const later = () =>
    openAltered(({ id, reply }) => (id === 'chat' && reply.status === 400 ? json(409, { error: 'x' }) : reply));
  expect(await word(later(), 'chat.invalid.content-number')).toBe('broken');
});

test('a listed model is called unknown only where a refusal says that it is', async () => {
  const listing = (refused: object, status: number) =>
    openAltered(({ id, reply }) => (id !== 'models' && reply.status === 404 ? json(status, refused) : reply));
  expect(await word(listing({ error: { code: 'model_not_found' } }, 400), 'models.known')).toBe('holds');
  expect(await word(listing({ error: { code: 400 } }, 400), 'models.known')).toBe('inconclusive');
});

test('where more jobs run at once than there should be workers, that is said', async () => {
  const reported = [{ instId: 'one', workersMax: 1, dedicated: true }];
  const found = await outcome(faulty([], [{ instId: 'one', workersMax: 4 }], reported), 'purge-queue.clears-queued');
  expect(found).toMatchObject({
    kind: 'not-observable',
    needs: expect.stringMatching(/one job each: 2 ran at once on one, which has 1 workers/) as string,
  });
});

test.each([
  [4000, 'holds'],
  [9900, 'inconclusive'],
])('jobs that end while health takes %i ms are no fault of the list or the counts', async (healthMs, found) => {
  for (const id of ['requests.queued', 'requests.agrees', 'health.agrees-with-status']) {
    const target = openAltered(async ({ id: called, reply, sleep }) => {
      if (called === 'health') await sleep(healthMs);
      return reply;
    });
    expect(await word(target, id)).toBe(found);
  }
});
