import { expect, test } from 'vitest';
import { operationPath, operations } from '../schemas/operations.ts';
import { routeOf, sideOf } from './routes.ts';

test.for(operations)('$id is found by its path, with its parameters', ({ id, path }) => {
  const route = routeOf(operationPath(id, { instId: 'inst-7', jobId: 'job-9' }));
  expect(route?.operation.id).toBe(id);
  expect(route?.parameters).toEqual({
    ...(path.includes('{inst_id}') ? { inst_id: 'inst-7' } : {}),
    ...(path.includes('{job_id}') ? { job_id: 'job-9' } : {}),
  });
});

test('parameters are percent-decoded', () => {
  const route = routeOf(operationPath('status', { instId: 'a b', jobId: 'ü/1' }));
  expect(route?.parameters).toEqual({ inst_id: 'a b', job_id: 'ü/1' });
});

test('a model is found by its id, slash included', () => {
  for (const path of ['/v1/models/acme/base-70b', '/v1/models/acme%2Fbase-70b']) {
    expect(routeOf(path)).toMatchObject({ operation: { id: 'models' }, parameters: { model_id: 'acme/base-70b' } });
  }
});

test('nothing else is a route', () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/model',
    '/v2/models',
    '/api/v1/sl',
    '/api/v1/sl/inst-1',
    '/api/v1/sl/inst-1/run/x',
    '/api/v1/sl/inst-1/status',
    '/api/v1/sl/inst-1/status/a/b',
    '/api/v2/sl/inst-1/run',
    '/api/v1/sl/inst-1/status/%ZZ',
  ]) {
    expect(routeOf(path)).toBeNull();
  }
});

test('an unknown path belongs to interface A below /v1 and to interface B elsewhere', () => {
  expect(['/v1', '/v1/x', '/v10', '/api/v1/sl/x', '/'].map(sideOf)).toEqual([
    'inference',
    'inference',
    'jobs',
    'jobs',
    'jobs',
  ]);
});
