import { expect, test } from 'vitest';
import { isOwnName } from '../../schemas/own.ts';
import { appliesTo, isGlob, targetNameFor } from './apply.ts';
import { STAGING, staging } from './testing/samples.ts';

const reference = { ...staging, kind: 'reference' as const };

test.each([
  [STAGING, true],
  [`${STAGING}/`, true],
  ['https://inference.staging.example', true],
  ['https://*.staging.example', true],
  ['*', true],
  ['**', true],
  ['https://jobs.staging.exampl', false],
  ['https://jobs-staging.example', false],
  ['jobs.staging.example', false],
  ['https://JOBS.staging.example', false],
  ['reference', false],
])('%s speaks of the staging target: %s', (pattern, applies) => {
  expect(appliesTo(pattern, staging)).toBe(applies);
});

test('the embedded reference has a name, and its addresses, which change, are none', () => {
  expect(appliesTo('reference', reference)).toBe(true);
  expect(appliesTo('*', reference)).toBe(true);
  expect(appliesTo(STAGING, reference)).toBe(false);
});

test('nothing but the star has a meaning: an address may hold brackets', () => {
  const local = { ...staging, baseUrl: null, jobBaseUrl: 'http://[::1]:8080' };
  expect(appliesTo('http://[::1]:8080', local)).toBe(true);
  expect(appliesTo('http://[::1]:*', local)).toBe(true);
  expect(appliesTo('http://:', local)).toBe(false);
  expect([isGlob('http://[::1]:8080'), isGlob('http://[::1]:*')]).toEqual([false, true]);
});

test.each([
  ['models.list', 'https://inference.staging.example'],
  ['inference.concurrency.enforced', 'https://inference.staging.example'],
  ['run.route', STAGING],
  ['purge-queue.load.clears-queued', STAGING],
])('a new entry for %s names %s', (id, name) => {
  expect(targetNameFor(id, staging)).toBe(name);
  expect(targetNameFor(id, reference)).toBe('reference');
});

test('an operation of the configuration has the address of its interface', () => {
  const name = 'embeddings';
  if (!isOwnName(name)) throw new Error('a good name is refused');
  const own = { id: name, methods: ['POST'], path: '/v1/embeddings', budget: name } as const;
  const target = (side: 'inference' | 'jobs') => ({ ...staging, operations: [{ ...own, interface: side }] });
  expect(targetNameFor('embeddings.rate.enforced', target('inference'))).toBe('https://inference.staging.example');
  expect(targetNameFor('embeddings.rate.enforced', target('jobs'))).toBe(STAGING);
});

test('where there is one address only, it is that', () => {
  expect(targetNameFor('run.route', { ...staging, jobBaseUrl: null })).toBe('https://inference.staging.example');
  expect(targetNameFor('models.list', { ...staging, baseUrl: null })).toBe(STAGING);
});
