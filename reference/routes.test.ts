import { expect, test } from 'vitest';
import { operationPath, operations } from '../schemas/operations.ts';
import { addressOf, routeOf, sideOf } from './routes.ts';

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

test('an address is taken apart without being changed', () => {
  for (const [url, pathname, search] of [
    ['/v1/models', '/v1/models', ''],
    ['/v1/models?a=b?c#d?e', '/v1/models', 'a=b?c'],
    ['/v1/models#d?e', '/v1/models', ''],
    ['/v1/../x/%2e%2e//y;z', '/v1/../x/%2e%2e//y;z', ''],
    ['/?u=http://a/b', '/', 'u=http://a/b'],
    ['http://host:80/v1/models?a', '/v1/models', 'a'],
    ['HTTPS://host', '/', ''],
    ['http://host?a#b', '/', 'a'],
    ['//host/x', '//host/x', ''],
    ['*', '/*', ''],
    ['', '/', ''],
  ] as const) {
    expect(addressOf(url)).toEqual({ pathname, search });
  }
});

test('no spelling of a path leads to another one', () => {
  for (const path of [
    '//v1//models',
    '/v1//models',
    '/v1/models/',
    '/v1/x/../models',
    '/v1/%2e%2e/v1/models',
    '/v1%2fmodels',
    '/v1\\models',
    '/v1/models;a=b',
    '/V1/models',
    '/api/v1/sl/inst-1/./run',
    '/api/v1/sl//run',
    '/v1/models/%ff',
    '/v1/models/%',
  ]) {
    expect(routeOf(path), path).toBeNull();
  }
  expect(routeOf('/v1/models/..%2f..%2fetc')?.parameters.model_id).toBe('../../etc');
  expect(routeOf('/api/v1/sl/../status/a%2Fb')?.parameters).toEqual({ inst_id: '..', job_id: 'a/b' });
  expect(routeOf('/api/v1/sl/inst-1/status/%00')?.parameters.job_id).toBe('\0');
  const long = 'x'.repeat(10_000);
  expect(routeOf(`/api/v1/sl/inst-1/status/${long}`)?.parameters.job_id).toBe(long);
});
