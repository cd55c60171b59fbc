import { expect, test } from 'vitest';
import type { CheckOutcome } from '../schemas/facts.ts';
import { type Check, type CheckDefinition, check } from './check.ts';
import type { CheckContext } from './context.ts';
import { execute } from './execute.ts';
import { complaint } from './run/plain.ts';
import { type Fake, fakeConfig, json, openFake } from './testing/fake-dispatcher.ts';

const ok: Fake = () => json(200, { data: [{ id: 'acme/base-70b' }] });
const { signal } = new AbortController();
const declared: Omit<CheckDefinition, 'run'> = {
  id: 'models.x',
  title: 'A title for it',
  clauses: ['models.list'],
};

function made(run: (t: CheckContext) => Promise<void>, more: Partial<CheckDefinition> = {}): Check {
  return check({ ...declared, ...more, run });
}

async function outcome(
  run: (t: CheckContext) => Promise<void>,
  more: Partial<CheckDefinition> = {},
): Promise<CheckOutcome> {
  return (await execute(made(run, more), { target: openFake(ok), profile: 'gate', signal })).outcome;
}

test('expectations are recorded, whether they hold or not', async () => {
  const ended = await outcome(async (t) => {
    t.expect('a', '1', '1', true);
    t.expect('b', '1', '2', false);
    t.note('c', 'seen');
  });
  expect(ended).toEqual({
    kind: 'ran',
    expectations: [
      { what: 'a', expected: '1', observed: '1', holds: true },
      { what: 'b', expected: '1', observed: '2', holds: false },
      { what: 'c', expected: 'not promised', observed: 'seen', holds: true },
    ],
  });
});

test('a check that records nothing is an error, never a pass', async () => {
  expect(await outcome(async () => {})).toMatchObject({ kind: 'error' });
});

test('an exception of ours is an error, not a finding', async () => {
  const ended = await outcome(async () => {
    throw new TypeError('undefined is not a function');
  });
  expect(ended).toEqual({ kind: 'error', message: 'undefined is not a function' });
});

test('a precondition is a finding or the reason for none, as the check decides', async () => {
  const fact = { what: 'it is there', expected: 'yes', observed: 'no' };
  const finding = await outcome(async (t) => t.assertion(fact.what, fact.expected, fact.observed, false));
  expect(finding).toEqual({ kind: 'ran', expectations: [{ ...fact, holds: false }] });
  const ground = await outcome(async (t) =>
    t.precondition(fact.what, fact.expected, fact.observed, false, 'put it there'),
  );
  expect(ground).toEqual({
    kind: 'inconclusive',
    reason: 'it is there: expected yes, observed no',
    remedy: 'put it there',
  });
  const met = await outcome(async (t) => {
    t.precondition(fact.what, fact.expected, fact.observed, true);
    t.assertion(fact.what, fact.expected, fact.observed, true);
  });
  expect(met).toEqual({ kind: 'ran', expectations: [{ ...fact, holds: true }] });
});

test('an obstacle does not take back what was already found', async () => {
  const ended = await outcome(async (t) => {
    t.expect('a', '1', '2', false);
    t.inconclusive('then the power went', 'plug it in');
  });
  expect(ended).toMatchObject({ kind: 'ran' });
  const nothingFound = await outcome(async (t) => {
    t.expect('a', '1', '1', true);
    t.inconclusive('then the power went', 'plug it in');
  });
  expect(nothingFound).toMatchObject({ kind: 'inconclusive', remedy: 'plug it in' });
});

test('what the target does not offer is not observable', async () => {
  expect(await outcome(async (t) => t.notObservable('a second moon'))).toEqual({
    kind: 'not-observable',
    needs: 'a second moon',
  });
});

test('a target that does not answer is a finding', async () => {
  const target = openFake(() => Promise.reject(new Error('gone')));
  const facts = await execute(
    made(async (t) => void (await t.inference.models())),
    { target, profile: 'gate', signal },
  );
  expect(facts.outcome).toMatchObject({
    kind: 'ran',
    expectations: [{ holds: false, what: 'GET /v1/models gets a response' }],
  });
  expect(facts.exchanges[0]?.error).toBeDefined();
});

test('a check that does not end is given up and says so', async () => {
  const ended = await outcome(
    (t) => new Promise((_, reject) => t.signal.addEventListener('abort', () => reject(t.signal.reason))),
    {
      timeoutMs: 20,
    },
  );
  expect(ended).toMatchObject({ kind: 'inconclusive', reason: 'it was not finished after 0.02 s' });
});

test('an interrupted run has no facts of the check it interrupted', async () => {
  const stopper = new AbortController();
  const hanging = made(async (t) => {
    stopper.abort(new Error('stopped'));
    await t.sleep(1);
  });
  const running = execute(hanging, { target: openFake(ok), profile: 'gate', signal: stopper.signal });
  await expect(running).rejects.toThrow('stopped');
});

test('clean-up happens after success, failure and interruption, last things first', async () => {
  const order: string[] = [];
  await outcome(async (t) => {
    t.defer(async () => order.push('first'));
    t.defer(() => Promise.reject(new Error('nobody cares')));
    t.defer(async () => order.push('last'));
    throw new Error('x');
  });
  expect(order).toEqual(['last', 'first']);
});

test('a shared result is made once, and its exchanges are evidence of all checks that use it', async () => {
  let answered = 0;
  const target = openFake(() => {
    answered += 1;
    return ok({ method: 'GET', path: '/', headers: new Headers(), text: '' });
  });
  const asks = made(async (t) => {
    t.expectOk(await t.shared('models', (own) => own.inference.models()));
  });
  const first = await execute(asks, { target, profile: 'gate', signal });
  const second = await execute(asks, { target, profile: 'gate', signal });
  expect(answered).toBe(1);
  expect([first.exchanges.length, second.exchanges.length]).toEqual([1, 1]);
});

test('a shared result that could not be made fails an assertion, and makes others inconclusive', async () => {
  const target = openFake(() => json(500, {}));
  const asking = (as: 'assertion' | 'precondition') =>
    made(async (t) => {
      await t.shared('thing', async (own) => own.requireOk(await own.inference.models(), 'assertion'), as);
    });
  const finding = await execute(asking('assertion'), { target, profile: 'gate', signal });
  const ground = await execute(asking('precondition'), { target, profile: 'gate', signal });
  expect([finding.outcome.kind, ground.outcome.kind]).toEqual(['ran', 'inconclusive']);
});

test.each([
  ['dedicated', '--dedicated'],
  ['two-endpoints', '--inst-id'],
] as const)('without %s it is not observable and names %s', async (need, flag) => {
  const config = { ...fakeConfig, endpoints: [{ instId: 'inst-1', workersMax: null, dedicated: false }] };
  const lacking = made(async (t) => t.note('x', 'y'), { needs: [need], id: 'run.x' });
  const facts = await execute(lacking, { target: openFake(ok, config), profile: 'gate', signal });
  expect(facts.outcome).toMatchObject({ kind: 'not-observable', needs: expect.stringContaining(flag) as string });
});

test('an interface that was not given is skipped, and says by what', async () => {
  const target = openFake(ok, { ...fakeConfig, baseUrl: null });
  const facts = await execute(
    made(async (t) => t.note('x', 'y')),
    { target, profile: 'gate', signal },
  );
  expect(facts.outcome).toMatchObject({ kind: 'skipped', by: 'target' });
  expect(facts.exchanges).toEqual([]);
});

test('a check that broke is red for the runner; one that only observes never is', async () => {
  const target = openFake(ok);
  const breaks = (t: CheckContext): Promise<void> => Promise.resolve(void t.expect('a', '1', '2', false));
  const judged = await execute(made(breaks), { target, profile: 'gate', signal });
  expect(complaint(judged)).toBe('models.x: a: expected 1, observed 2');
  const observed = await execute(made(breaks, { level: 'observed', because: 'only a test' }), {
    target,
    profile: 'gate',
    signal,
  });
  expect(complaint(observed)).toBeNull();
  const error = await execute(
    made(async () => {}),
    { target, profile: 'gate', signal },
  );
  expect(complaint(error)).toContain('no expectation');
});

test('the deadline of the run ends a check, and one that comes after it sends nothing', async () => {
  const target = openFake(() => json(200, { data: [{ id: 'a/b' }] }));
  const waits = made(async (t) => {
    t.expect('a', 'b', 'b', true);
    await new Promise((_, reject) => t.signal.addEventListener('abort', () => reject(t.signal.reason as Error)));
  });
  const atMs = performance.now() + 50;
  const during = await execute(waits, { target, profile: 'gate', signal, deadline: { ms: 60_000, atMs } });
  expect(during.outcome).toMatchObject({ kind: 'inconclusive', reason: expect.stringMatching(/deadline .*60 s/) });
  const after = await execute(waits, { target, profile: 'gate', signal, deadline: { ms: 60_000, atMs } });
  expect(after).toMatchObject({ outcome: { kind: 'inconclusive' }, exchanges: [] });
});
