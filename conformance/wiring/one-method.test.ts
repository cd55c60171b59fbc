/** A service that has one method alone where the documentation says GET or POST: one fault, which hides no other. */
import { expect, test } from 'vitest';
import { jobError, notFound } from '../../reference/errors.ts';
import { type HttpMethod, operation } from '../../schemas/operations.ts';
import { allChecks } from '../checks/index.ts';
import { runPlain } from '../run/plain.ts';
import { type Alter, openAltered } from '../testing/altered.ts';
import { passedOf } from '../testing/passed.ts';
import { wireJobs } from './jobs.ts';

const { signal } = new AbortController();
const JOBS = ['status', 'status-sync', 'stream'] as const;
const checks = allChecks.filter(
  ({ id, level }) => level !== 'observed' && JOBS.some((job) => id.startsWith(`${job}.`)),
);

const having =
  (only: HttpMethod): Alter =>
  ({ id, method, reply }) =>
    operation(id).methods.length > 1 && method !== only ? { ...reply, status: 405, body: '' } : reply;

/** What is about the method itself: it says so, or can't be asked without it. */
const OF_METHOD: Readonly<Record<'GET' | 'POST', RegExp>> = {
  GET: /\.get$|^status\.methods-agree$/,
  POST: /\.post$|\.empty-body$|^status\.methods-agree$/,
};

test.each([
  ['GET', 'POST'],
  ['POST', 'GET'],
] as const)('%s alone', async (only, missing) => {
  const { partly } = await wireJobs(openAltered(having(only)), signal);
  expect(partly.map(({ id, methods }) => [id, methods])).toEqual(JOBS.map((id) => [id, [only]]));
  const target = openAltered(having(only), { operations: partly });
  const facts = await runPlain(checks, { target, profile: 'gate', signal });
  const passed = new Set(passedOf(facts).map(({ id }) => id));
  expect(facts.map(({ id }) => id).filter((id) => !passed.has(id) && !OF_METHOD[missing].test(id))).toEqual([]);
  expect(JOBS.filter((id) => passed.has(`${id}.route.${missing.toLowerCase()}`))).toEqual([]);
});

test('what has both methods, or neither, is taken as documented', async () => {
  const has = async (alter: Alter) => (await wireJobs(openAltered(alter), signal)).partly;
  expect(await has(({ reply }) => reply)).toEqual([]);
  expect(await has(({ id, reply }) => (id === 'stream' ? { ...reply, status: 404, body: '' } : reply))).toEqual([]);
});

test('an operation is absent if it answers exactly as an unknown path does', async () => {
  const absent = async (alter: Alter) => (await wireJobs(openAltered(alter), signal)).absent;
  const without =
    (...ids: string[]): Alter =>
    ({ id, method, path, reply }) =>
      ids.includes(id) ? notFound('jobs', method, path) : reply;
  expect(await absent(without())).toEqual([]);
  expect(await absent(without('cancel', 'stream'))).toEqual(['stream', 'cancel']);
  expect(await absent(({ id, reply }) => (id === 'cancel' ? jobError(404, 'no such job') : reply))).toEqual([]);
});
