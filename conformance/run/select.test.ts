import { expect, test } from 'vitest';
import { check } from '../check.ts';
import { roundsOf, selected } from './select.ts';

const one = (id: string, alone = false) =>
  check({ id, title: 't', clauses: ['models.list'], alone, run: async () => {} });
const checks = [one('models.a'), one('models.b.c', true), one('chat.a')];

test('globs select, no glob selects all', () => {
  expect(selected(checks, [])).toEqual(checks);
  expect(selected(checks, ['models.*']).map((check) => check.id)).toEqual(['models.a', 'models.b.c']);
  expect(selected(checks, ['nothing.*'])).toEqual([]);
});

test('on a real clock only some run alone, on a virtual one all do', () => {
  expect(roundsOf(checks, false).alone.map((check) => check.id)).toEqual(['models.b.c']);
  expect(roundsOf(checks, true)).toMatchObject({ first: [], beside: [], together: [], alone: checks, recorded: [] });
});

test('the first checks are first among those that run alone, and none runs twice or is forgotten', () => {
  const definition = { title: 't', clauses: ['models.list'], alone: true } as const;
  const early = check({ ...definition, id: 'run.z', first: true, run: async () => {} });
  const late = check({ ...definition, id: 'run.y', last: true, run: async () => {} });
  const recorded = check({ ...definition, clauses: [], id: 'run.x', alone: false, run: async () => {} });
  const rounds = roundsOf([late, recorded, ...checks, early], false);
  expect(rounds).toMatchObject({ first: [early], recorded: [recorded], last: [late] });
  expect(Object.values(rounds).flat()).toHaveLength(checks.length + 3);
});

test('together with checks that are sensitive to other jobs run only those without jobs, and none without them', () => {
  const definition = { title: 't', clauses: ['models.list'], alone: true, first: true } as const;
  const early = check({ ...definition, id: 'purge-queue.z', run: async () => {} });
  const job = check({ ...definition, id: 'run.z', alone: false, first: false, run: async () => {} });
  expect(roundsOf([job, ...checks, early], false)).toMatchObject({ beside: [checks[0], checks[2]], together: [job] });
  expect(roundsOf([job, ...checks], false)).toMatchObject({ beside: [], together: [job, checks[0], checks[2]] });
});

test('what keeps workers busy begins before what does not', () => {
  const definition = { title: 't', clauses: ['run.route'], on: 'jobs' } as const;
  const late = check({ ...definition, id: 'run.y', run: async () => {} });
  const early = check({ ...definition, id: 'run.z', early: true, run: async () => {} });
  expect(roundsOf([late, early], false).together).toEqual([early, late]);
});

test('what spends a small limit begins, so that it has room when the load comes', () => {
  const all = ['status.a', 'requests.a', 'run.a', 'requests.b'].map((id) => one(id));
  expect(roundsOf(all, false).together.map(({ id }) => id)).toEqual(['requests.a', 'requests.b', 'status.a', 'run.a']);
});
