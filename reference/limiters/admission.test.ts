import { expect, test } from 'vitest';
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { defaultOptions, type ReferenceOptions } from '../options.ts';
import type { Caller } from '../rules.ts';
import { Admission } from './admission.ts';

function admission(limits: ReferenceOptions['limits']): Admission {
  return new Admission({ ...defaultOptions({}), limits });
}

/** The tests' callers differ in one thing: the endpoint, or on interface A the address. */
function by(scope: string): Caller {
  return { instId: scope, address: scope, authorization: '', connection: '', method: 'POST' };
}

/** How many of `count` requests at once get a slot. */
function admitted(gate: Admission, id: DocumentedOperationId, count: number, scope = 'inst-1', nowMs = 0): number {
  return Array.from({ length: count }, () => gate.admit(id, by(scope), nowMs)).filter((one) => 'slot' in one).length;
}

test('status, status-sync and stream share one rate', () => {
  const gate = admission({ 'status.rate': 5 });
  expect(admitted(gate, 'status', 2)).toBe(2);
  expect(admitted(gate, 'status-sync', 2)).toBe(2);
  expect(admitted(gate, 'stream', 2)).toBe(1);
  expect(admitted(gate, 'status', 1)).toBe(0);
});

test('status, status-sync and stream share one set of slots', () => {
  const gate = admission({ 'status.concurrency': 3 });
  expect(admitted(gate, 'stream', 2)).toBe(2);
  expect(admitted(gate, 'status', 2)).toBe(1);
});

test('no other operation is affected by one that has used up its limit', () => {
  const gate = admission({ 'cancel.rate': 1 });
  expect(admitted(gate, 'cancel', 2)).toBe(1);
  for (const id of ['run', 'runsync', 'status', 'purge-queue', 'requests', 'health'] as const) {
    expect(admitted(gate, id, 1)).toBe(1);
  }
});

test('every endpoint instance, and every client address, has its own count', () => {
  const gate = admission({ 'run.rate': 1, 'inference.concurrency': 2 });
  expect(admitted(gate, 'run', 2, 'inst-1')).toBe(1);
  expect(admitted(gate, 'run', 2, 'inst-2')).toBe(1);
  expect(admitted(gate, 'chat', 2, '192.0.2.1')).toBe(2);
  expect(admitted(gate, 'models', 1, '192.0.2.1')).toBe(0);
  expect(admitted(gate, 'models', 1, '192.0.2.2')).toBe(1);
});

test('a refusal is a 429 with the seconds of Retry-After', () => {
  const gate = admission({ 'run.rate': 1 });
  gate.admit('run', by('inst-1'), 0);
  const refusal = gate.admit('run', by('inst-1'), 1500);
  if (!('refused' in refusal)) throw new Error('it was admitted');
  expect(refusal.refused.status).toBe(429);
  expect(refusal.refused.headers['retry-after']).toBe('9');
});

test('the rate is checked before the concurrency, and a freed slot can be taken again', () => {
  const gate = admission({ 'run.rate': 3, 'run.concurrency': 1 });
  const first = gate.admit('run', by('inst-1'), 0);
  expect(admitted(gate, 'run', 1)).toBe(0);
  if ('slot' in first) first.slot.free();
  expect(admitted(gate, 'run', 1)).toBe(1);
  const refusal = gate.admit('run', by('inst-1'), 0);
  expect('refused' in refusal && refusal.refused.body).toContain('rate');
});

test('health and interface A have no rate', () => {
  const gate = admission({});
  expect(admitted(gate, 'health', 10_000)).toBe(10_000);
  for (let count = 0; count < 10_000; count += 1) {
    const entry = gate.admit('chat', by('192.0.2.1'), 0);
    if (!('slot' in entry)) throw new Error('refused');
    entry.slot.free();
  }
});
