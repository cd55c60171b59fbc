import { expect, test } from 'vitest';
import { virtualClock } from '../clock.ts';
import type { Job } from './job.ts';
import { waitUntil } from './watch.ts';

const { signal: never } = new AbortController();

function watched(): Pick<Job, 'watchers'> & { poke(): void } {
  return {
    watchers: null,
    poke() {
      for (const watcher of [...(this.watchers ?? [])]) watcher();
    },
  };
}

test('what already holds is not waited for', async () => {
  const clock = virtualClock({ startMs: 0 });
  await waitUntil(watched(), () => true, 1000, clock, never);
  expect(clock.now()).toBe(0);
});

test('no patience, no waiting', async () => {
  const clock = virtualClock({ startMs: 0 });
  await waitUntil(watched(), () => false, 0, clock, never);
  expect(clock.now()).toBe(0);
});

test('waiting ends with the change that was waited for, not with any other', async () => {
  const clock = virtualClock({ startMs: 0 });
  const job = watched();
  let done = false;
  const waiting = waitUntil(job, () => done, 1000, clock, never);
  job.poke();
  expect(job.watchers?.size).toBe(1);
  done = true;
  job.poke();
  await waiting;
  expect(clock.now()).toBe(0);
  expect(job.watchers).toBeNull();
  expect(clock.sleeping).toBe(0);
});

test('waiting ends when the time is over', async () => {
  const clock = virtualClock({ startMs: 0 });
  const job = watched();
  await waitUntil(job, () => false, 1000, clock, never);
  expect(clock.now()).toBe(1000);
  expect(job.watchers).toBeNull();
});

test('a client that goes away leaves nothing behind', async () => {
  const clock = virtualClock({ startMs: 0 });
  const job = watched();
  const gone = new AbortController();
  const waiting = waitUntil(job, () => false, 1000, clock, gone.signal);
  const reason = new Error('gone');
  gone.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(job.watchers).toBeNull();
  expect(clock.sleeping).toBe(0);
  await expect(waitUntil(job, () => false, 1000, clock, gone.signal)).rejects.toBe(reason);
});

test('waiting without end ends with the change, and needs no sleeper', async () => {
  const clock = virtualClock({ startMs: 0 });
  const job = watched();
  let done = false;
  const waiting = waitUntil(job, () => done, Number.POSITIVE_INFINITY, clock, never);
  expect(clock.sleeping).toBe(0);
  done = true;
  job.poke();
  await waiting;
  const gone = new AbortController();
  const other = waitUntil(job, () => false, Number.POSITIVE_INFINITY, clock, gone.signal);
  gone.abort(new Error('gone'));
  await expect(other).rejects.toThrow('gone');
  expect(job.watchers).toBeNull();
});

test('one of two that goes away leaves the other waiting', async () => {
  const clock = virtualClock({ startMs: 0 });
  const job = watched();
  const gone = new AbortController();
  const first = waitUntil(job, () => false, 1000, clock, gone.signal);
  const second = waitUntil(job, () => false, 1000, clock, never);
  gone.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(job.watchers?.size).toBe(1);
  await second;
  expect(clock.now()).toBe(1000);
});
