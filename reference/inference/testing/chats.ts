/** How the tests of chat completions send requests and read an event stream. */
import { expect } from 'vitest';
import type { Answer, Harness } from '../../testing/harness.ts';

export const messages = [{ role: 'user', content: 'Say something.' }];
export const CHAT = '/v1/chat/completions';

export function chat(one: Harness, more: object = {}): Promise<Answer> {
  return one.request(CHAT, { method: 'POST', body: { model: 'acme/base-70b', messages, ...more } });
}

/** The JSON of every event but the terminator, which must be there. */
export function events(answer: Answer): unknown[] {
  const lines = answer.text.split('\n\n').filter(Boolean);
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')) as unknown);
}
