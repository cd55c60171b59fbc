/** All rates and all numbers of requests at once of the service, enforced by gateways that others wrote. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import type { Results } from '../../schemas/results.ts';
import { cli, KEY, temporaryDirectory } from '../support/cli.ts';
import { programOf } from './gateways.ts';
import type { Served } from './npm.ts';
import { behindHaproxy, behindNginx } from './service.ts';

const rates = limitsOf('requests');
const numbers = [...rates, ...limitsOf('concurrent-requests')];
const timeout = 600_000;
const POLLS = 3;
const ONLY = '*.rate.{guarantee,enforced,shared,independent},*.concurrency.{guarantee,enforced,freed}';

/**
 * The results of a load. A rate that matches no known limiter is measured up to twice more: a stall of this machine can
 * cause that, since HAProxy takes a stall for a jump of the clock.
 */
async function measured(start: () => Promise<Served>): Promise<Results> {
  const { url, close } = await start();
  const dir = temporaryDirectory();
  const config = join(dir, 'proofload.yaml');
  const endpoint = '{ instId: inst-1, workersMax: 3, dedicated: true }';
  writeFileSync(
    config,
    `baseUrl: ${url}\njobBaseUrl: ${url}\naccessKey: \${PROOFLOAD_ACCESS_KEY}\nendpoints: [${endpoint}]\n`,
  );
  const load = async (only: string): Promise<Results> => {
    const args = ['load', '--config', config, '--only', only, '--out', join(dir, 'report')];
    const { code, stderr } = await cli(args, { env: { PROOFLOAD_ACCESS_KEY: KEY } });
    expect(code, stderr).not.toBe(2);
    return JSON.parse(readFileSync(join(dir, 'report', 'results.json'), 'utf8'));
  };
  try {
    const results = await load(ONLY);
    const found = new Map(results.limits.map((one) => [one.id, one]));
    for (let followUp = 1; followUp < POLLS; followUp += 1) {
      for (const { id, value } of rates) {
        const before = found.get(id);
        if (before?.algorithm !== 'unknown') continue;
        expect(before.measured?.lower, id).toBeLessThanOrEqual(value);
        const { limits } = await load(`${id}.*`);
        for (const one of limits.filter((again) => again.id === id)) found.set(id, one);
      }
    }
    return { ...results, limits: [...found.values()] };
  } finally {
    await close();
  }
}

/** A bucket's refill, or a counter's rounding. */
const near = (value: number): number => Math.max(1, 0.01 * value);

function expectNumbers({ limits }: Results): void {
  for (const { id, value } of numbers) {
    const found = limits.find((one) => one.id === id);
    const { lower = 0, upper = null } = found?.measured ?? {};
    const reported = JSON.stringify(found);
    expect(value - (lower ?? 0), reported).toBeLessThanOrEqual(near(value));
    expect((upper ?? Number.POSITIVE_INFINITY) - value, reported).toBeLessThanOrEqual(near(value));
  }
}

const failedIn = ({ checks }: Results): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

const isLarge = ({ value }: { readonly value: number }): boolean => value >= 100;

test.runIf(programOf('nginx'))('behind nginx every number is right, and nothing fails', { timeout }, async () => {
  const results = await measured(behindNginx);
  expectNumbers(results);
  expect(failedIn(results)).toEqual([]);
  const named = results.limits.flatMap(({ kind, algorithm }) => (kind === 'requests' ? [algorithm] : []));
  expect(new Set(named)).toEqual(new Set(['token-bucket']));
});

test.runIf(programOf('haproxy'))(
  'behind HAProxy only that its counters refuse too early fails',
  { timeout },
  async () => {
    const results = await measured(behindHaproxy);
    expectNumbers(results);
    const guarantees = rates.map(({ id }) => `${id}.guarantee`);
    const failed = failedIn(results);
    expect(failed.filter((id) => !guarantees.includes(id))).toEqual([]);
    // A few requests may come when the estimate leaves room for them; that proves nothing.
    expect(failed).toEqual(expect.arrayContaining(rates.filter(isLarge).map(({ id }) => `${id}.guarantee`)));
    const passed = results.checks.filter(({ id, verdict }) => guarantees.includes(id) && verdict === 'pass');
    expect(passed.map(({ id, observed, reason }) => ({ id, observed, reason }))).toEqual([]);
    for (const { id, algorithm } of results.limits.filter(({ kind }) => kind === 'requests')) {
      expect(algorithm, id).toBe('sliding-counter');
    }
  },
);
