import { expect, test } from 'vitest';
import { CheckContext } from '../context.ts';
import { parseJson, type Reply } from '../target/reply.ts';
import { Inconclusive } from '../target/signals.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { expectClean, isClean } from './refusals.ts';

const { signal } = new AbortController();

const reply = (status: number, text: string): Reply => ({
  request: 'POST /v1/chat/completions',
  status,
  headers: {},
  text,
  json: parseJson(text),
  sentMs: 0,
  headersMs: 0,
  endMs: 0,
  pieces: [],
});

const chat = '{"choices":[{"message":{"role":"assistant","content":"one"}}]}';
const text = '{"choices":[{"text":"one"}]}';

test.each([
  ['an answer', 200, chat],
  ['a refusal, whatever it says', 400, ''],
  ['a refusal by another status', 422, '{"detail":[]}'],
  ['what the operation does not have', 501, '{}'],
])('%s is clean', (_what, status, body) => {
  expect(isClean('chat', reply(status, body))).toBe(true);
});

test.each([
  ['a breakdown', 500, '{}'],
  ['an overload', 503, ''],
  ['a success that says nothing', 200, '{}'],
  ['the answer of another operation', 200, text],
  ['a stranger told off, who is none', 401, '{}'],
  ['a request that took too long', 408, '{}'],
  ['a redirect', 302, ''],
])('%s is not', (_what, status, body) => {
  expect(isClean('chat', reply(status, body))).toBe(false);
});

test('each operation has answers of its own', () => {
  expect(isClean('completions', reply(200, text))).toBe(true);
});

const good = () => json(200, JSON.parse(chat));

/** Whether a request that is answered like this, one after the other, is found clean; the good one comes in between. */
async function judged(...answers: readonly ReturnType<typeof json>[]): Promise<boolean | undefined> {
  const left = [...answers];
  const t = new CheckContext(
    openFake(({ text: sent }) => (sent.includes('odd') ? left.shift() : null) ?? good()),
    signal,
  );
  await expectClean(t, 'chat', 'it', () => t.inference.chat({ model: 'm', messages: t.messages, odd: true }));
  return t.expectations.at(-1)?.holds;
}

test('a breakdown has to come twice', async () => {
  expect(await judged(json(400, {}))).toBe(true);
  expect(await judged(json(503, {}), good())).toBe(true);
  expect(await judged(json(503, {}), json(503, {}))).toBe(false);
  expect(await judged(json(200, {}))).toBe(false);
});

test('nothing is said of a service that breaks down at good requests too', async () => {
  const t = new CheckContext(
    openFake(() => json(503, {})),
    signal,
  );
  const request = () => t.inference.chat({ model: 'm', messages: t.messages });
  await expect(expectClean(t, 'chat', 'it', request)).rejects.toBeInstanceOf(Inconclusive);
});
