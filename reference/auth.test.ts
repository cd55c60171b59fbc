import { expect, test } from 'vitest';
import { refuseCaller } from './auth.ts';
import { defaultOptions, type ReferenceOptions } from './options.ts';
import { specRules } from './rules.ts';

const options: ReferenceOptions = {
  ...defaultOptions({}),
  accessKeys: ['good', 'also'],
  jobKeys: ['jobs'],
  brokeKeys: ['poor'],
  otherKeys: ['neighbour'],
};
const onModels = (header: string | null, change: Partial<ReferenceOptions> = {}): number | null =>
  refuseCaller('chat', 'inference', header, { ...options, ...change })?.status ?? null;
const onJobs = (header: string | null, change: Partial<ReferenceOptions> = {}): number | null =>
  refuseCaller('status', 'jobs', header, { ...options, ...change })?.status ?? null;

test('every key of the list is good, and no part or extension of one', () => {
  for (const key of ['good', 'also']) expect(onModels(`Bearer ${key}`)).toBeNull();
  for (const key of ['goo', 'goodd', 'GOOD', 'good also', 'jobs', '']) expect(onModels(`Bearer ${key}`)).toBe(401);
});

test('the scheme is read without regard to case, and spaces around the key do not matter', () => {
  for (const header of ['bearer good', 'BEARER good', 'Bearer   good', 'Bearer good  '])
    expect(onModels(header)).toBeNull();
  for (const header of ['Basic good', 'Token good', 'Bearergood', 'Bearer', null]) expect(onModels(header)).toBe(401);
});

test('a bare key opens interface B only, and only where that is allowed', () => {
  expect(onModels('good')).toBe(401);
  expect(onJobs('good')).toBeNull();
  expect(onJobs(' jobs ')).toBeNull();
  expect(onJobs('good', { auth: 'bearer' })).toBe(401);
  expect(onJobs('Bearer good', { auth: 'bearer' })).toBeNull();
  expect(onJobs(null, { auth: 'none' })).toBeNull();
  expect(onModels(null, { auth: 'none' })).toBe(401);
});

test('an account without balance may read, but not spend', () => {
  expect(onModels('Bearer poor')).toBe(402);
  expect(onJobs('Bearer poor')).toBeNull();
  expect(refuseCaller('models', 'inference', 'Bearer poor', options)).toBeNull();
  expect(refuseCaller('runsync', 'jobs', 'poor', options)?.status).toBe(402);
  expect(onModels('Bearer poor', { balanceStatus: 429 })).toBe(429);
});

test('another account has the models, but no endpoint of the first', () => {
  expect(onModels('Bearer neighbour')).toBeNull();
  expect([onJobs('Bearer neighbour'), onJobs('neighbour')]).toEqual([404, 404]);
  expect(onJobs('neighbour', { auth: 'bearer' })).toBe(401);
  expect(onJobs('Bearer neighbour', { auth: 'none' })).toBeNull();
  expect(onJobs('Bearer neighbour', { jobKeys: ['neighbour'] })).toBeNull();
});

test('an operation without a key still refuses an account without balance', () => {
  const rules = { ...specRules, needsKey: () => false };
  expect(onModels(null, { rules })).toBeNull();
  expect(onModels('Bearer wrong', { rules })).toBeNull();
  expect(onModels('Bearer poor', { rules })).toBe(402);
});

test('the refusal says which scheme is wanted and whether a key was seen', () => {
  const [none, wrong] = [null, 'Bearer wrong'].map((header) => refuseCaller('chat', 'inference', header, options));
  expect(none?.headers['www-authenticate']).toBe('Bearer');
  expect(none?.body).not.toBe(wrong?.body);
  expect(wrong?.body).not.toContain('wrong"');
});
