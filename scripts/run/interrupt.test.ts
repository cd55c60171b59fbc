import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { INTERRUPTED, onInterrupt } from './interrupt.ts';

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

test('the first Ctrl-C aborts and says so, the second one exits', () => {
  const host = new FakeProcess();
  const said: string[] = [];
  const { signal, by } = onInterrupt((line) => said.push(line), host);
  expect(signal.aborted).toBe(false);
  expect(by()).toBeUndefined();
  host.emit('SIGINT', 'SIGINT');
  expect(signal.aborted).toBe(true);
  expect(by()).toBe('Ctrl-C');
  expect(said).toHaveLength(1);
  expect(host.exits).toEqual([]);
  host.emit('SIGINT');
  expect(host.exits).toEqual([INTERRUPTED]);
});

test('SIGTERM counts the same', () => {
  const host = new FakeProcess();
  const { signal, by } = onInterrupt(() => {}, host);
  host.emit('SIGTERM', 'SIGTERM');
  expect(signal.aborted).toBe(true);
  expect(by()).toBe('SIGTERM');
});

test('after the run nothing listens any more', () => {
  const host = new FakeProcess();
  const { signal, dispose } = onInterrupt(() => {}, host);
  dispose();
  host.emit('SIGINT');
  expect([signal.aborted, host.listenerCount('SIGINT'), host.listenerCount('SIGTERM')]).toEqual([false, 0, 0]);
});
