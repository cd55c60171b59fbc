/**
 * Whatever is asked, in any order: no answer of 500 or more, every error in the envelope of its interface, nothing left
 * in flight or asleep, and a good request afterwards is answered well. In-process, on a clock of its own.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { operationPath } from '../../schemas/operations.ts';
import { sideOfUrl } from '../routes.ts';
import { field, type Harness, harness, KEY } from '../testing/harness.ts';
import { budget, patienceMs, seed } from './testing/budget.ts';
import { body, type Target, target } from './testing/pieces.ts';

interface Step extends Target {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
  /** Turns of the event loop after which the client goes away; null for one that stays. */
  readonly leaves: number | null;
}

const headers = fc.record(
  {
    authorization: fc.constantFrom('', 'Bearer', `bearer ${KEY}`, KEY, `Basic ${KEY}`, 'Bearer x y'),
    'content-type': fc.constantFrom('', 'text/plain', 'multipart/form-data', 'application/json; charset=utf-16'),
    'content-encoding': fc.constantFrom('gzip', 'identity', ''),
    'content-length': fc.constantFrom('-1', 'x', '1e99', '99999999999'),
  },
  { requiredKeys: [] },
);

const around = fc.record({
  body,
  headers: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
  leaves: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(5) }),
});

const step: fc.Arbitrary<Step> = fc.tuple(target, around).map(([one, more]) => ({ ...one, ...more }));

async function bytesOf(bytes: Uint8Array): Promise<ReadableStream<Uint8Array>> {
  return new Blob([new Uint8Array(bytes)]).stream();
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function expectEnvelope(path: string, text: string): void {
  const answer: unknown = JSON.parse(text);
  if (sideOfUrl(path) === 'jobs') expect(answer).toEqual({ error: expect.any(String) });
  else expect(answer).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } });
}

/** The status; null where the client left before there was one. */
async function take(one: Harness, step: Step): Promise<number | null> {
  const hasBody = step.method !== 'GET' && step.method !== 'HEAD';
  const leaving = new AbortController();
  const requested = one.request(step.path, {
    method: step.method,
    headers: step.headers,
    signal: leaving.signal,
    ...(hasBody ? { rawBody: await bytesOf(step.body) } : {}),
  });
  if (step.leaves !== null) {
    await turns(step.leaves);
    leaving.abort(new Error('gone'));
  }
  const answer = await requested.catch((error: unknown) => {
    if (step.leaves === null) throw error;
    return null;
  });
  if (answer === null) return null;
  expect(answer.status).toBeLessThan(500);
  const type = answer.headers.get('content-type') ?? '';
  if (answer.status >= 400) {
    expect(type).toBe('application/json');
    expectEnvelope(new URL(`http://reference${step.path}`).pathname, answer.text);
  } else if (type === 'application/json') JSON.parse(answer.text);
  else expect(answer.text).toMatch(/data: \[DONE\]\n\n$/);
  return answer.status;
}

async function expectWell(one: Harness): Promise<void> {
  const echo = { still: ['here', 1] };
  const sync = await one.job('runsync', { body: { input: { echo } } });
  expect(sync.body).toMatchObject({ status: 'COMPLETED', output: echo });
  const said = { model: 'acme/base-70b', messages: [{ role: 'user', content: 'hi' }] };
  const chat = await one.request(operationPath('chat'), { method: 'POST', body: said });
  expect(field(chat.body, 'choices', 0, 'message', 'role')).toBe('assistant');
}

/** Rates off, so that refusals for them hide nothing; everything else is as documented. */
const rates = Object.fromEntries(limitsOf('requests').map((limit) => [limit.id, 'off' as const]));

test(`any requests, one after the other and at once (seed ${seed})`, { timeout: patienceMs }, async () => {
  const seen = new Map<number | null, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, atOnce) => {
      const one = harness({ limits: rates });
      const statuses: (number | null)[] = [];
      if (atOnce) statuses.push(...(await Promise.all(steps.map((each) => take(one, each)))));
      else for (const each of steps) statuses.push(await take(one, each));
      for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1);
      await one.job('purge-queue');
      await expectWell(one);
      await turns(3);
      expect(one.service.inFlight()).toEqual({ requests: 0, slots: 0 });
      one.service.close();
      await turns(3);
      expect(one.clock.sleeping).toBe(0);
    }),
    budget(150),
  );
  // A fuzz test whose requests all fail at the door would see nothing.
  for (const status of [200, 400, 401, 404, 405, 415]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  if (process.env.FUZZ_SECONDS) console.log(Object.fromEntries([...seen].map(([status, n]) => [String(status), n])));
});
