/** A VU's share of a burst: what is sent, when it ends, and that no line of it is lost or changed on the way. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeLedger } from '../../../schemas/ledger.ts';
import { plainEntry } from '../../../schemas/ledger-rows.ts';
import type { OutgoingRequest } from '../../execute/requests.ts';
import { prepare, sendPrepared } from './http.ts';
import { sendVolley, type Volley } from './volley.ts';

const k6 = vi.hoisted(() => ({
  atMs: 1000,
  statuses: [] as number[],
  tookMs: 1,
  bodies: [] as (string | null)[],
  timings: {},
  requested: [] as string[],
  whileRequested: (): unknown => undefined,
  instance: {
    get currentTestRunDuration(): number {
      return k6.atMs;
    },
  },
  request: (method: string, url: string) => {
    k6.requested.push(`${method} ${url}`);
    k6.whileRequested();
    k6.atMs += k6.tookMs;
    const status = k6.statuses[k6.requested.length - 1] ?? 200;
    if (status === 599) throw new Error('boom');
    const headers = status === 429 ? { 'Retry-After': '7' } : {};
    return {
      status,
      error: '',
      error_code: 1212,
      body: k6.bodies[k6.requested.length - 1] ?? null,
      headers,
      timings: k6.timings,
    };
  },
}));
vi.mock('k6', () => ({ sleep: () => {} }));
vi.mock('k6/execution', () => ({ instance: k6.instance }));
vi.mock('k6/http', () => ({ default: { request: k6.request } }));
vi.mock('./environment.ts', () => ({ targetKey: 'k' }));

const TIMINGS = { blocked: 0.25, sending: 0.125, waiting: 0.5, receiving: 0.125, duration: 0.75 };

const writes: string[] = [];
/** When each was written, on the script's clock. */
const writtenMs: number[] = [];
/** What writing takes, ms. */
let writingMs = 0;

beforeEach(() => {
  writes.length = 0;
  writtenMs.length = 0;
  writingMs = 0;
  Object.assign(k6, {
    atMs: 1000,
    statuses: [],
    bodies: [],
    tookMs: 1,
    requested: [],
    timings: TIMINGS,
    whileRequested: () => undefined,
  });
  vi.spyOn(console, 'log').mockImplementation((text: string) => {
    writes.push(text);
    writtenMs.push(k6.atMs);
    k6.atMs += writingMs;
  });
});

const run: OutgoingRequest = { operation: 'run', method: 'POST', url: 'http://x/run', body: '{"input":1}' };
const status: OutgoingRequest = { operation: 'status', method: 'GET', url: 'http://x/status/1', body: null };
const ready = (request: OutgoingRequest, exact = false) => prepare(request, { phase: 'burst', exact });
const endless = { refusals: Number.POSITIVE_INFINITY, silent: 3, untilMs: Number.POSITIVE_INFINITY };
const volley = (changes: Partial<Volley>): Volley => ({ most: 40, ...endless, ...changes });
const ledger = () => decodeLedger(writes.join('\n'));

describe('what is sent', () => {
  test('so many, in turn', () => {
    expect([...sendVolley([ready(run), ready(status)], volley({ most: 3 }))]).toEqual([200]);
    expect(k6.requested).toEqual(['POST http://x/run', 'GET http://x/status/1', 'POST http://x/run']);
    expect(ledger().entries.map(({ operation }) => operation)).toEqual(['run', 'status', 'run']);
  });

  test.each<[string, Partial<Volley>, readonly number[], number]>([
    ['with so many refusals', { refusals: 2 }, [200, 429, 200, 429, 200], 4],
    [
      'with so many that are not the usual answer',
      { refusals: 2, usual: new Set([200, 409]) },
      [200, 503, 409, 503],
      4,
    ],
    ['with no answer several times in a row', {}, [0, 0, 200, 0, 0, 0, 200], 6],
    ['when its time is up', { untilMs: 1004 }, [], 5],
    ['before its first where that is past', { untilMs: 999 }, [], 0],
    ['at once where there is nothing to send', { most: 0 }, [], 0],
  ])('it ends %s', (_, changes, statuses, sent) => {
    k6.statuses = [...statuses];
    sendVolley([ready(run)], volley(changes));
    expect(k6.requested).toHaveLength(sent);
    expect(ledger().entries).toHaveLength(sent);
  });

  test('the times of the responses are kept where requested', () => {
    const answeredMs: number[] = [];
    sendVolley([ready(run)], volley({ most: 3, answeredMs }));
    expect(answeredMs).toEqual(ledger().entries.map(({ endMs }) => endMs));
  });

  test('the statuses that came are returned', () => {
    k6.statuses = [302, 200, 0];
    expect([...sendVolley([ready(run)], volley({ most: 3 }))]).toEqual([302, 200, 0]);
    expect([...sendVolley([ready(run)], volley({ most: 0 }))]).toEqual([]);
    expect([...sendVolley([], volley({}))]).toEqual([]);
  });
});

describe('what is written', () => {
  const any = fc.constantFrom(200, 200, 200, 200, 302, 404, 429, 503, 0);

  test('the entries are those of the same requests sent one by one', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), fc.constantFrom(0, 0.5, 30, 150), (statuses, tookMs) => {
        const moments = () => ledger().entries.map(plainEntry);
        const most = statuses.length;
        Object.assign(k6, { atMs: 1000, statuses, tookMs, requested: [] });
        writes.length = 0;
        sendVolley([ready(run)], volley({ most, silent: Number.POSITIVE_INFINITY }));
        const together = moments();
        Object.assign(k6, { atMs: 1000, requested: [] });
        writes.length = 0;
        const one = ready(run);
        for (let sent = 0; sent < most; sent += 1) sendPrepared(one);
        const byStart = (rows: typeof together) => [...rows].sort((a, b) => a.sentMs - b.sentMs || a.status - b.status);
        expect(byStart(together)).toEqual(byStart(moments()));
        expect(ledger().unreadable).toBe(0);
      }),
    );
  });

  test('several lines at a time, whole ones, and none is left behind', () => {
    sendVolley([ready(run)], volley({ most: 40 }));
    expect(writes.map((text) => text.split('\n').length)).toEqual([16, 16, 8]);
    expect(ledger()).toMatchObject({ entries: { length: 40 }, unreadable: 0 });
  });

  test('none waits for longer than a tenth of a second while answers come', () => {
    k6.tookMs = 30;
    sendVolley([ready(run)], volley({ most: 20 }));
    for (const [index, text] of writes.entries()) {
      const [earliest] = decodeLedger(text).entries;
      expect((writtenMs[index] ?? 0) - (earliest?.endMs ?? 0)).toBeLessThanOrEqual(100);
    }
  });

  test('a stop in the middle of a request loses fifteen lines at most', () => {
    const waiting: number[] = [];
    k6.whileRequested = () => waiting.push(k6.requested.length - 1 - ledger().entries.length);
    sendVolley([ready(run)], volley({ most: 100 }));
    expect(Math.max(...waiting)).toBe(15);
    expect(ledger().entries).toHaveLength(100);
  });

  test('an exception takes no line with it', () => {
    k6.statuses = [200, 200, 599];
    expect(() => sendVolley([ready(run)], volley({}))).toThrow('boom');
    expect(ledger().entries).toHaveLength(2);
  });

  test('a refusal keeps what it says', () => {
    k6.statuses = [429];
    sendVolley([ready(run)], volley({ most: 1 }));
    expect(ledger().entries).toMatchObject([{ phase: 'burst', status: 429, note: 'retry-after: 7' }]);
  });

  test('a success with wrong content says so, and is no refusal', () => {
    k6.bodies = ['{"id":"a1"}', '{"id":"a2"}', '{}', '{"id":"a4"}'];
    expect(sendVolley([ready(run)], { ...endless, most: 4, refusals: 1, usual: new Set([200]) })).toEqual(
      new Set([200]),
    );
    const { rows } = decodeLedger(writes.join('\n'));
    expect(rows.map(({ note }) => note).sort()).toEqual(['', '', '', 'wrong: without a field']);
  });

  test('the time that writing takes is in no request', () => {
    writingMs = 500;
    k6.statuses = [200, 429, ...new Array<number>(20).fill(200)];
    sendVolley([ready(run)], volley({ most: 22 }));
    expect(ledger().entries.map(({ sentMs, endMs }) => endMs - sentMs)).toEqual(new Array(22).fill(0.75));
  });

  test('one that may have been sent twice is there twice, where the number has to be exact', () => {
    k6.timings = { ...TIMINGS, connecting: 0, sending: 40 };
    sendVolley([ready(status, true)], volley({ most: 1 }));
    expect(
      ledger()
        .entries.map(({ error }) => error)
        .sort(),
    ).toEqual(['', 'sent twice']);
    writes.length = 0;
    sendVolley([ready(run, true), ready(status)], volley({ most: 2 }));
    expect(ledger().entries.map(({ error }) => error)).toEqual(['', '']);
  });
});
