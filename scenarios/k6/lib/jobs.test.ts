import { beforeEach, expect, test, vi } from 'vitest';
import type { OutgoingRequest } from '../../execute/requests.ts';
import type { SendOptions } from './http.ts';
import { awaitStart, readStatus, submit, submitSlow } from './jobs.ts';

interface Sent {
  readonly request: OutgoingRequest;
  readonly options: SendOptions;
}

const fake = vi.hoisted(() => ({ nowMs: 0, sent: [] as Sent[], bodies: [] as string[], own: [] as string[] }));
vi.mock('./clock.ts', () => ({
  now: () => fake.nowMs,
  sleepUntil: (atMs: number) => {
    fake.nowMs = atMs;
  },
}));
vi.mock('./http.ts', () => ({
  send: (request: OutgoingRequest, options: SendOptions) => {
    fake.sent.push({ request, options });
    return {
      status: 200,
      error: '',
      body: fake.bodies.shift() ?? '',
      limitFields: '',
      sentMs: 0,
      firstByteMs: 0,
      endMs: 0,
    };
  },
}));
vi.mock('./ledger.ts', () => ({ recordOwnJob: (id: string) => fake.own.push(id) }));

const addresses = { baseUrl: null, jobBaseUrl: 'http://x', model: null, instId: 'i', runId: 'run-1' };
const status = (word: string) => JSON.stringify({ id: 'j', status: word });

beforeEach(() => {
  Object.assign(fake, { nowMs: 0, sent: [], bodies: [], own: [] });
});

test('a submission gives the id, or null where the answer has none', () => {
  fake.bodies = [status('IN_QUEUE'), '{"error":"no"}'];
  expect([submit(addresses, 'setup'), submit(addresses, 'setup')]).toEqual(['j', null]);
  expect(fake.sent[0]).toMatchObject({ request: { operation: 'run' }, options: { phase: 'setup', keepBody: true } });
});

test('a slow job is one that the run can cancel', () => {
  fake.bodies = [status('IN_QUEUE'), ''];
  submitSlow(addresses, 'hold', 5000);
  submitSlow(addresses, 'hold', 5000);
  expect(JSON.parse(fake.sent[0]?.request.body ?? '')).toEqual({ input: { echo: 'proofload run-1', delay_ms: 5000 } });
  expect(fake.own).toEqual(['j']);
});

test('a poll returns the state, and can note it', () => {
  fake.bodies = [status('IN_PROGRESS')];
  expect(readStatus(addresses, 'held', 'j', (state) => `is ${state}`)).toBe('running');
  const answer = {
    status: 200,
    error: '',
    body: status('COMPLETED'),
    limitFields: '',
    sentMs: 0,
    firstByteMs: 0,
    endMs: 0,
  };
  expect(fake.sent[0]?.options.note?.(answer)).toBe('is completed');
});

test('watching ends with the start, two polls a second', () => {
  fake.bodies = [status('IN_QUEUE'), status('IN_QUEUE'), status('IN_PROGRESS')];
  expect(awaitStart(addresses, 'j', 10_000)).toBe(true);
  expect([fake.sent.length, fake.nowMs]).toEqual([3, 1000]);
});

test('watching ends with the patience', () => {
  fake.bodies = Array.from({ length: 50 }, () => status('IN_QUEUE'));
  expect(awaitStart(addresses, 'j', 2000)).toBe(false);
  expect(fake.nowMs).toBeLessThanOrEqual(2000);
  expect(fake.sent.length).toBe(5);
});

test('a response without a state is not repeated', () => {
  fake.bodies = ['<html>'];
  awaitStart(addresses, 'j', 10_000);
  expect(fake.sent).toHaveLength(1);
});
