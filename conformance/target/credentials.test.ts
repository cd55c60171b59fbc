import { expect, test } from 'vitest';
import { credentialsFrom, jobKeyOf, toEnvironment, withLocalDefaults } from './credentials.ts';

const none = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };

test('keys come from the environment; an empty variable is none', () => {
  expect(credentialsFrom({})).toEqual(none);
  expect(credentialsFrom({ PROOFLOAD_ACCESS_KEY: '', PROOFLOAD_JOB_KEY: 'j' })).toEqual({ ...none, jobKey: 'j' });
});

test('there and back, also over older values', () => {
  const some = { accessKey: 'a', jobKey: null, brokeKey: 'b', otherKey: 'o' };
  expect(credentialsFrom({ PROOFLOAD_JOB_KEY: 'older', ...toEnvironment(some) })).toEqual(some);
});

test('only missing keys get the well-known ones of the reference', () => {
  expect(withLocalDefaults(none)).toEqual({
    accessKey: 'proofload-local',
    jobKey: null,
    brokeKey: 'proofload-broke',
    otherKey: 'proofload-other',
  });
  expect(withLocalDefaults({ ...none, accessKey: 'mine' }).accessKey).toBe('mine');
});

test('the access key serves interface B only where it is at the origin of A, and never where there is a job key', () => {
  const config = {
    kind: 'remote',
    baseUrl: 'http://a:1/x',
    jobBaseUrl: 'http://a:1/y',
    endpoints: [],
    model: null,
  } as const;
  const keys = { ...none, accessKey: 'a' };
  expect(jobKeyOf(keys, config)).toBe('a');
  expect(jobKeyOf({ ...keys, jobKey: 'j' }, config)).toBe('j');
  expect(jobKeyOf(keys, { ...config, jobBaseUrl: 'http://a:2' })).toBeNull();
  expect(jobKeyOf(keys, { ...config, baseUrl: null })).toBeNull();
});
