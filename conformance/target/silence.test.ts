import { expect, test } from 'vitest';
import { CheckContext } from '../context.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { Inconclusive, TargetFailure } from './signals.ts';
import { Silence } from './standstill.ts';

test('an operation is given up after three silences in a row, and no other is', () => {
  const silence = new Silence();
  silence.unanswered('run');
  silence.unanswered('run');
  silence.answered('run');
  silence.unanswered('run');
  silence.unanswered('run');
  expect(() => silence.requireVoice('run')).not.toThrow();
  silence.unanswered('run');
  expect(() => silence.requireVoice('run')).toThrow(Inconclusive);
  expect(() => silence.requireVoice('runsync')).not.toThrow();
});

test('a target that falls silent on one operation gets three requests there, and all others elsewhere', async () => {
  let requested = 0;
  const target = openFake(({ path }) => {
    if (!path.endsWith('/health')) return json(200, { data: [] });
    requested += 1;
    throw new Error('cut');
  });
  const t = new CheckContext(target, new AbortController().signal);
  for (let index = 0; index < 3; index += 1) await expect(t.jobs.health()).rejects.toThrow(TargetFailure);
  await expect(t.jobs.health()).rejects.toThrow(/health did not respond to 3 requests in a row/);
  expect(requested).toBe(3);
  expect((await t.inference.models()).status).toBe(200);
});
