import { expect, test } from 'vitest';
import { limitFor } from '../schemas/limits.ts';
import { CheckContext } from './context.ts';
import { json, openFake } from './testing/fake-dispatcher.ts';

const { signal } = new AbortController();
const retentionMs = limitFor('retention', 'run')?.value ?? 0;

test('a result that several checks share is made once, and again before its job expires', async () => {
  const target = openFake(() => json(200, {}));
  const t = new CheckContext(target, signal);
  let made = 0;
  const make = async (): Promise<number> => {
    made += 1;
    return made;
  };
  expect(await t.shared('x', make)).toBe(1);
  await target.clock.sleep(retentionMs / 2 - 1);
  expect(await new CheckContext(target, signal).shared('x', make)).toBe(1);
  await target.clock.sleep(2);
  expect(await t.shared('x', make)).toBe(2);
  expect(await t.shared('y', make)).toBe(3);
});

test('a word is new each time and names the run', () => {
  const target = openFake(() => json(200, {}));
  const t = new CheckContext(target, signal);
  const words = Array.from({ length: 50 }, () => t.word());
  expect(new Set(words).size).toBe(50);
  expect(words.every((word) => word.includes(target.runId))).toBe(true);
  expect(t.prompt).toContain(target.runId);
});
