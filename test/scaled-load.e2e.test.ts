/** Every rate and concurrency limit in one load of seconds, by a table that is not the spec's. */
import { expect, test } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { runScaledLoad, verdictsOf } from './support/scaled-load.ts';

const WINDOW_MS = 2000;
const table = scaledTable({ windowMs: WINDOW_MS });
const only = ['{run,runsync,status,cancel,purge-queue,requests}.{rate,concurrency}.{guarantee,enforced,shared,freed}'];

test('a load by another table finds the values of that table', async () => {
  const outcome = await runScaledLoad({ table, only });
  const wrong = outcome.checks.filter(({ verdict }) => verdict !== 'pass');
  expect(wrong.map(({ id, verdict, observed, reason }) => ({ id, verdict, observed, reason }))).toEqual([]);
  for (const { id, documented, measured } of outcome.limits) {
    const row = table.rows.find((one) => one.id === id);
    expect(documented.value, id).toBe(row?.value);
    expect(measured, id).toEqual({ lower: row?.value, upper: row?.value });
  }
});

test('one that keeps another number than promised is found out', async () => {
  const kept = scaledTable({ windowMs: WINDOW_MS, values: { 'cancel.rate': 9, 'requests.rate': 11 } });
  const outcome = await runScaledLoad({ table, kept, only: ['{cancel,requests}.rate.{guarantee,enforced}'] });
  const verdicts = verdictsOf(outcome);
  expect(verdicts).toMatchObject({ 'cancel.rate.guarantee': 'fail', 'requests.rate.guarantee': 'pass' });
  expect(verdicts['requests.rate.enforced']).not.toBe('pass');
  expect(outcome.limits.map(({ id, measured }) => [id, measured?.lower])).toEqual([
    ['cancel.rate', 9],
    ['requests.rate', 11],
  ]);
});
