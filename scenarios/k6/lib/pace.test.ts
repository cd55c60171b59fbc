import { beforeEach, expect, test, vi } from 'vitest';
import type { OutgoingRequest } from '../../execute/requests.ts';
import type { PreparedOptions } from './http.ts';
import { type Pace, sendSlot } from './pace.ts';

const fake = vi.hoisted(() => ({
  late: 0,
  sleptUntil: [] as number[],
  preparedAfter: [] as number[],
  sent: [] as { request: OutgoingRequest; options: PreparedOptions; dueMs: number }[],
}));
vi.mock('./clock.ts', () => ({
  sleepUntil: (atMs: number) => {
    fake.sleptUntil.push(atMs);
    return fake.late;
  },
}));
vi.mock('./http.ts', () => ({
  prepare: (request: OutgoingRequest, options: PreparedOptions) => {
    fake.preparedAfter.push(fake.sleptUntil.length);
    return { request, options };
  },
  sendPrepared: (one: { request: OutgoingRequest; options: PreparedOptions }, dueMs: number) =>
    fake.sent.push({ ...one, dueMs }),
}));

const addresses = { baseUrl: null, jobBaseUrl: 'http://x', model: null, instId: 'i', runId: 'run-1' };
const pace: Pace = {
  span: { fromMs: 500, periodMs: 10, untilMs: 1000 },
  latestMs: 100,
  vus: 5,
  operations: ['status', 'stream'],
  jobId: 'j',
};

beforeEach(() => {
  Object.assign(fake, { late: 0, sleptUntil: [], preparedAfter: [], sent: [] });
});

test.each([
  [0, 600, 'GET', 'status'],
  [1, 610, 'GET', 'stream'],
  [2, 620, 'POST', 'status'],
  [3, 630, 'POST', 'stream'],
])('iteration %i stands for the slot at %i ms: %s %s', (iteration, atMs, method, operation) => {
  sendSlot(addresses, pace, iteration, 100);
  expect(fake.sleptUntil).toEqual([atMs]);
  expect(fake.preparedAfter).toEqual([0]);
  expect(fake.sent[0]).toMatchObject({ request: { method, operation }, options: { phase: 'pace' }, dueMs: atMs });
  expect(fake.sent[0]?.request.url).toContain(`/${operation}/j`);
});

test('a slot that is a little late is sent, one that is too late is left out', () => {
  fake.late = 99;
  sendSlot(addresses, pace, 0, 0);
  fake.late = 101;
  sendSlot(addresses, pace, 0, 0);
  expect(fake.sent).toHaveLength(1);
});
