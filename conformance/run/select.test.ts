import { expect, test } from 'vitest';
import { check } from '../check.ts';
import { roundsOf, selected } from './select.ts';

const one = (id: string, alone = false) =>
  check({ id, title: 't', clauses: ['models.list'], on: 'inference', alone }, async () => {});
const checks = [one('run.a'), one('run.b.c', true), one('status.a')];

test('globs select, no glob selects all', () => {
  expect(selected(checks, [])).toEqual(checks);
  expect(selected(checks, ['run.*']).map((check) => check.id)).toEqual(['run.a', 'run.b.c']);
  expect(selected(checks, ['nothing.*'])).toEqual([]);
});

test('on a real clock only some run alone, on a virtual one all do', () => {
  expect(roundsOf(checks, false).alone.map((check) => check.id)).toEqual(['run.b.c']);
  expect(roundsOf(checks, true)).toEqual({ first: [], together: [], alone: checks });
});

test('what asks to be first is so among those that run alone, and nothing is asked twice or forgotten', () => {
  const definition = { title: 't', clauses: ['models.list'], on: 'inference', alone: true } as const;
  const early = check({ ...definition, id: 'run.z', first: true }, async () => {});
  const late = check({ ...definition, id: 'run.y', last: true }, async () => {});
  const { first, together, alone } = roundsOf([late, ...checks, early], false);
  expect(first).toEqual([early]);
  expect(alone.at(-1)).toEqual(late);
  expect([...first, ...together, ...alone]).toHaveLength(checks.length + 2);
});

test('what spends a small limit begins, so that it has room when the load comes', () => {
  const all = ['status.a', 'requests.a', 'run.a', 'requests.b'].map((id) => one(id));
  expect(roundsOf(all, false).together.map(({ id }) => id)).toEqual(['requests.a', 'requests.b', 'status.a', 'run.a']);
});
