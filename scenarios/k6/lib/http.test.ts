import { beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeLedger, encodeShort, headOf } from '../../../schemas/ledger.ts';
import { plainEntry } from '../../../schemas/ledger-rows.ts';
import { ACCEPT } from '../../../schemas/operations.ts';
import type { OutgoingRequest } from '../../execute/requests.ts';
import { prepare, send, sendPrepared } from './http.ts';

const k6 = vi.hoisted(() => ({
  clock: [] as number[],
  request: vi.fn(),
  instance: {
    get currentTestRunDuration(): number {
      return k6.clock.shift() ?? 0;
    },
  },
}));
vi.mock('k6', () => ({ sleep: () => {} }));
vi.mock('k6/execution', () => ({ instance: k6.instance }));
vi.mock('k6/http', () => ({ default: { request: k6.request } }));
vi.mock('./environment.ts', () => ({ targetKey: 'k' }));

const lines: string[] = [];

beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  k6.clock = [1000, 1080];
  k6.request.mockReset().mockReturnValue(response());
});

function response(changes = {}) {
  const timings = { blocked: 7.25, sending: 1, waiting: 60, receiving: 5.5, duration: 66.5 };
  return { status: 200, error: '', error_code: 0, body: null, headers: {}, timings, ...changes };
}

const get: OutgoingRequest = { operation: 'status', method: 'GET', url: 'http://x/status/1', body: null };
const post: OutgoingRequest = { operation: 'run', method: 'POST', url: 'http://x/run', body: '{"input":1}' };
const recorded = () => decodeLedger(lines.join('\n')).entries.map(plainEntry);

test('the times bound the arrival: no earlier than the connection was had, no later than the first byte', () => {
  const answer = send(get, { phase: 'burst' });
  expect([answer.sentMs, answer.firstByteMs]).toEqual([1007.25, 1074.5]);
  expect(recorded()).toEqual([
    {
      phase: 'burst',
      operation: 'status',
      sentMs: 1007.25,
      firstByteMs: 1074.5,
      endMs: 1080,
      status: 200,
      error: '',
      note: '',
    },
  ]);
});

test('where the number has to be exact, one that may have been sent twice is in it twice', () => {
  const repeated = { blocked: 1, connecting: 0, sending: 40, waiting: 60, receiving: 5.5, duration: 66.5 };
  k6.request.mockReturnValue(response({ timings: repeated }));
  sendPrepared(prepare(get, { phase: 'burst' }));
  expect(recorded()).toHaveLength(1);
  k6.clock = [2000, 2080];
  expect(sendPrepared(prepare(get, { phase: 'burst', exact: true }))).toBe(200);
  const [, answered, unseen] = recorded();
  expect(answered).toMatchObject({ status: 200, sentMs: 2001 });
  expect(unseen).toMatchObject({ phase: 'burst', status: 0, error: 'sent twice', sentMs: 2000, endMs: 2080 });
  k6.clock = [3000, 3080];
  sendPrepared(prepare(post, { phase: 'burst', exact: true }));
  expect(recorded()).toHaveLength(4);
});

describe('prepared for a load', () => {
  const answers = [
    response(),
    response({ status: 302 }),
    response({ status: 404 }),
    response({ status: 429, headers: { 'Retry-After': '7' } }),
    response({ body: '{"error":"Rate limit reached"}' }),
    response({ status: 503 }),
    response({ status: 0, error_code: 1212, error: 'dial: connection refused' }),
  ];

  test.each(answers)('the same is sent and the same is read from the ledger: %#', (answer) => {
    k6.request.mockReturnValue(answer);
    for (const [request, dueMs] of [[post], [get], [get, 990.5]] as const) {
      lines.length = 0;
      k6.clock = [1000, 1080, 1000, 1080];
      const { status } = send(request, { phase: 'pace', dueMs });
      expect(sendPrepared(prepare(request, { phase: 'pace' }), dueMs)).toBe(status);
      const [one, other] = k6.request.mock.calls.slice(-2);
      expect(other).toEqual(one);
      const [entry, same] = recorded();
      expect(same).toEqual(entry);
    }
  });

  test('its line is the short row of the ledger, byte for byte', () => {
    sendPrepared(prepare(get, { phase: 'burst' }));
    k6.clock = [1000, 1080];
    sendPrepared(prepare(get, { phase: 'burst' }), 990.5);
    const row = [headOf('burst', 'status'), 1000, 7.25, 5.5, 1080, 200] as const;
    expect(lines).toEqual([encodeShort(...row), encodeShort(...row, 990.5)]);
  });

  test('it is made ready once, and each sending has its own moments', () => {
    const ready = prepare(get, { phase: 'burst' });
    k6.clock = [1000, 1080, 2000, 2080];
    sendPrepared(ready);
    sendPrepared(ready);
    expect(recorded().map(({ sentMs, endMs }) => [sentMs, endMs])).toEqual([
      [1007.25, 1080],
      [2007.25, 2080],
    ]);
    const [one, other] = k6.request.mock.calls;
    expect(other?.[3]).toBe(one?.[3]);
  });
});

test('a request that was due says when, and when its sender began with it', () => {
  send(get, { phase: 'pace', dueMs: 990 });
  expect(recorded()[0]).toMatchObject({ dueMs: 990, begunMs: 1000, sentMs: 1007.25 });
  k6.clock = [2000, 2080];
  send(get, { phase: 'pace', dueMs: undefined });
  expect(recorded()[1]).not.toHaveProperty('dueMs');
});

describe('what is sent', () => {
  test('a request as it is described, with nothing else to be read by k6 each time', () => {
    send(post, { phase: 'burst' });
    const [method, url, body, params] = k6.request.mock.calls[0] ?? [];
    expect([method, url, body]).toEqual(['POST', 'http://x/run', '{"input":1}']);
    expect(params).toMatchObject({ timeout: 30_000 });
    expect(params.headers).toEqual({
      Accept: ACCEPT,
      Authorization: 'Bearer k',
      'Content-Type': 'application/json',
    });
    expect(Object.keys(params)).toEqual(['headers', 'timeout']);
  });

  test('with a timeout of its own, where requested', () => {
    send(get, { phase: 'pace', timeoutMs: 1500 });
    const params = k6.request.mock.calls[0]?.[3];
    expect(params).toMatchObject({ timeout: 1500 });
    expect(Object.keys(params.headers)).toEqual(['Accept', 'Authorization']);
  });

  test('bytes instead of the body', () => {
    const bytes = new ArrayBuffer(3);
    send({ ...post, body: null }, { phase: 'try', bytes });
    expect(k6.request.mock.calls[0]?.[2]).toBe(bytes);
    expect(k6.request.mock.calls[0]?.[3].headers).toHaveProperty('Content-Type');
  });
});

describe('what is noted', () => {
  test('the Retry-After of a refusal', () => {
    k6.request.mockReturnValue(response({ status: 429, headers: { 'Retry-After': '7' } }));
    expect(send(get, { phase: 'over' }).limitFields).toBe('retry-after: 7');
    expect(recorded()[0]?.note).toBe('retry-after: 7');
  });

  test('something else, from the whole answer', () => {
    k6.request.mockReturnValue(response({ body: '{"status":"IN_QUEUE"}' }));
    const answer = send(get, { phase: 'held', keepBody: true, note: ({ body }) => `seen ${body.length}` });
    expect(answer.body).toBe('{"status":"IN_QUEUE"}');
    expect(k6.request.mock.calls[0]?.[3].responseType).toBe('text');
    expect(recorded()[0]?.note).toBe('seen 21');
  });

  test.each([
    [{ status: 0, error_code: 1050, error: 'request timeout' }, 'timeout'],
    [{ status: 0, error_code: 1212, error: 'dial: connection refused' }, '1212 dial: connection refused'],
    [{ status: 500, error_code: 1500, error: '' }, ''],
  ])('the error of %j is "%s"', (changes, error) => {
    k6.request.mockReturnValue(response(changes));
    send(get, { phase: 'burst' });
    expect(recorded()[0]?.error).toBe(error);
  });
});
