/** No value that a setting takes makes the service fail: its ends and its choices, each tried with a few requests. */
import { expect, test } from 'vitest';
import { defaultOptions } from '../options.ts';
import { field, harness, KEY } from '../testing/harness.ts';
import { applySettings } from './apply.ts';
import { type Setting, settings } from './index.ts';

/** The ends of ranges and the values of choices, wherever they stand in a schema; bounds set by others aren't numbers. */
function ends(schema: object): unknown[] {
  const { minimum, maximum, type, const: only, enum: choices, anyOf } = { ...emptySchema, ...schema };
  const own = [minimum, maximum].filter((one) => typeof one === 'number');
  const switched = type === 'boolean' ? [true, false] : [];
  return [...own, ...switched, ...(only === undefined ? [] : [only]), ...choices, ...anyOf.flatMap(ends)];
}

const emptySchema: {
  minimum?: unknown;
  maximum?: unknown;
  type?: unknown;
  const?: unknown;
  enum: unknown[];
  anyOf: object[];
} = { enum: [], anyOf: [] };

const cases = settings.filter(({ takes }) => ends(takes.schema).length > 0);

test('nearly every setting has such values', () => {
  expect(cases.length).toBeGreaterThan(settings.length - 12);
});

/** A bound at its end pulls its default along, as whoever sets it would have to. */
function given({ name, path: [field] }: Setting, value: unknown): ReadonlyMap<string, unknown> {
  const bound = /\.(min|max)$/.test(name) && !name.startsWith('limits.');
  const own: [string, unknown][] = [[name, value]];
  if (!bound) return new Map(own);
  const low = settings.some((one) => one.name === `${field}.min`) ? [[`${field}.min`, value] as const] : [];
  return new Map([...low, [`${field}.max`, value], [`${field}.default`, value]]);
}

test.each(cases)('$name', async (setting) => {
  for (const value of new Set(ends(setting.takes.schema))) {
    const options = applySettings(defaultOptions({}), given(setting, value));
    const { request, job, service } = harness({ ...options, accessKeys: [KEY] });
    const message = { model: 'acme/base-70b', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 2 };
    const submitted = await job('run', { body: { input: { chunks: 2 }, webhook: null, policy: { ttl: 20_000 } } });
    const jobId = String(field(submitted.body, 'id') ?? 'none');
    const answers = [
      submitted,
      await request('/v1/chat/completions', { method: 'POST', body: message }),
      await request('/v1/chat/completions', { method: 'POST', body: { ...message, stream: true } }),
      await job('runsync', { body: { input: { delay_ms: 5 } }, query: '?wait=10' }),
      await job('runsync', { body: { input: { fail: 'on purpose' } } }),
      await job('stream', { jobId, query: '?wait=1' }),
      await job('status', { jobId, query: '?ttl=5' }),
      await job('status-sync', { jobId, query: '?wait=1' }),
      await job('cancel', { jobId }),
      await job('requests'),
      await job('purge-queue'),
      await job('health'),
    ];
    service.close();
    const nobody = setting.name === 'inferenceInstances' && value === 0;
    const broken = answers.filter(({ status, text }) => status >= 500 && !(nobody && text.includes('overloaded')));
    expect(
      broken.map(({ status, text }) => `${status} ${text}`),
      `${setting.name}=${value}`,
    ).toEqual([]);
  }
});
