import { expect, test } from 'vitest';
import { badJson, inferenceError, jobError, notFound, tooLarge, tooManyRequests } from './errors.ts';
import { json, toResponse, withHeader } from './reply.ts';

test('a whole reply becomes a Response', async () => {
  const response = toResponse(withHeader(json(201, { a: 1 }, { 'x-a': 'b' }), 'x-c', 'd'));
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect([response.headers.get('x-a'), response.headers.get('x-c')]).toEqual(['b', 'd']);
  expect(await response.json()).toEqual({ a: 1 });
});

function pieces(values: readonly string[], onEnd: () => void): AsyncGenerator<string> {
  return (async function* () {
    try {
      yield* values;
    } finally {
      onEnd();
    }
  })();
}

test('a streamed reply is read piece by piece', async () => {
  const response = toResponse({ status: 200, headers: {}, body: pieces(['a', 'ü', ''], () => undefined) });
  expect(await response.text()).toBe('aü');
});

test('cancelling the body ends the work behind it', async () => {
  let ended = false;
  const body = pieces(['a', 'b', 'c'], () => {
    ended = true;
  });
  const reader = toResponse({ status: 200, headers: {}, body }).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(ended).toBe(true);
});

test('interface A wraps an error as its clients read it, interface B says it in one field', () => {
  expect(JSON.parse(String(inferenceError(400, { message: 'm', type: 't' }).body))).toEqual({
    error: { message: 'm', type: 't', param: null, code: null },
  });
  expect(JSON.parse(String(jobError(404, 'job not found').body))).toEqual({ error: 'job not found' });
  for (const make of [badJson, (side: 'inference' | 'jobs') => tooLarge(side, 413, 10)]) {
    expect(JSON.parse(String(make('inference').body))).toHaveProperty('error.message');
    expect(JSON.parse(String(make('jobs').body))).toEqual({ error: expect.any(String) });
  }
  expect(notFound('inference', 'POST', '/v1/x').body).toContain('POST /v1/x');
});

test('Retry-After is in whole seconds, rounded up, at least one', () => {
  for (const [waitMs, seconds] of [
    [0, '1'],
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [9999, '10'],
  ] as const) {
    expect(tooManyRequests('jobs', 'x', waitMs).headers['retry-after']).toBe(seconds);
  }
});
