import { expect, test } from 'vitest';
import { documentedTable, limitsOf } from '../../schemas/limits.ts';
import { operationIn } from '../../schemas/own.ts';
import { controlRequest } from './control.ts';

const addresses = {
  baseUrl: 'http://a',
  jobBaseUrl: 'http://b',
  model: 'acme/base-70b',
  instId: 'inst-1',
  runId: 'run-1',
};

test('a control request goes to the interface of the limit', () => {
  for (const { operations } of limitsOf('concurrent-requests')) {
    const request = controlRequest(addresses, operations);
    expect(operationIn([], request.operation).interface).toBe(operationIn([], operations[0] ?? 'health').interface);
    expect(request).toMatchObject({ method: 'GET', body: null });
  }
});

test('on interface B it spends no rate and takes no slot of any limit', () => {
  const { operation: id } = controlRequest(addresses, ['status-sync', 'stream']);
  expect(id).toBe('health');
  expect(operationIn([], id).budget).toBeNull();
});

test('on interface A, where every operation takes a slot, it spends no rate either', () => {
  const { operation: id, url } = controlRequest(addresses, ['chat']);
  expect(url).toBe('http://a/v1/models');
  expect(documentedTable.find('requests', operationIn([], id).budget ?? 'inference')).toBeUndefined();
});
