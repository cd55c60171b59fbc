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
  expect(roundsOf(checks, true)).toEqual({ together: [], alone: checks });
});
