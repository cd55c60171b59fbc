import { expect, test } from 'vitest';
import { credentialsFrom, toEnvironment, withLocalDefaults } from './credentials.ts';

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
