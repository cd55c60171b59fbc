import { expect, test } from 'vitest';
import { payloadOf, queueLimitOf } from '../../reference/limiters/effective.ts';
import { defaultOptions } from '../../reference/options.ts';
import { documentedTable } from '../../schemas/limits.ts';
import { scaledTable, settingsFor } from './scaled-table.ts';

test('every row of the spec is there under its id, smaller or as small as it was', () => {
  const { rows } = scaledTable();
  expect(rows.map(({ id }) => id)).toEqual(documentedTable.rows.map(({ id }) => id));
  for (const [index, row] of rows.entries()) {
    const documented = documentedTable.rows[index]?.value ?? 0;
    expect(row.value).toBeLessThanOrEqual(documented);
    expect(row.value).toBeGreaterThan(0);
    if (documented <= 2) expect(row.value).toBe(documented);
  }
});

test('a probe of requests at once has room within the rate limit of the same budget', () => {
  const table = scaledTable();
  for (const { budget, value } of table.of('concurrent-requests')) {
    expect(table.find('requests', budget)?.value ?? Number.POSITIVE_INFINITY, budget).toBeGreaterThan(2 * value + 2);
  }
});

test('single values and the window are as requested', () => {
  const table = scaledTable({ windowMs: 700, values: { 'run.rate': 7 } });
  expect(table.find('requests', 'run')).toMatchObject({ value: 7, windowMs: 700 });
  expect(table.find('requests', 'cancel')).toMatchObject({ value: 10, windowMs: 700 });
});

test('the reference takes them as settings, payload and queue too', () => {
  const table = scaledTable();
  const options = { ...defaultOptions({}), ...settingsFor(table) };
  const queue = table.find('queue', 'run');
  expect(queueLimitOf(options, 'run')).toMatchObject({ value: queue?.value, perWorker: queue?.perWorker });
  expect(payloadOf(options, 'run')).toBe(table.find('content-bytes', 'run')?.value);
  for (const { id, windowMs } of table.of('requests')) expect(options.windows[id]).toBe(windowMs);
});
