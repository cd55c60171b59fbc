/** However many probes listen for the end of their run, Node takes none of it for a leak and says nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silent } from '../../schemas/progress.ts';
import { planLoad } from '../plan/index.ts';
import { quick, usual } from '../plan/testing/targets.ts';
import { runLoad } from '../run.ts';
import { ledgerOf } from './testing/fake-execute.ts';

const warnings: string[] = [];
const hear = (warning: Error): void => void warnings.push(warning.name);
beforeEach(() => void process.on('warning', hear));
afterEach(() => void process.off('warning', hear));

test('a run with many listeners warns of nothing', async () => {
  const plan = planLoad({ target: usual, profile: 'gate', only: ['cancel.concurrency.*'], calibration: quick });
  const credentials = { accessKey: 'a', jobKey: 'b', brokeKey: null, otherKey: null };
  const { signal } = new AbortController();
  const input = { plan, credentials, runId: 'r', k6Bin: 'k6', dir: '', progress: silent, signal };
  let listening = 0;
  await runLoad(input, async (_, env) => {
    for (let more = 0; more < 30; more += 1, listening += 1) env.signal.addEventListener('abort', () => {});
    return ledgerOf();
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(listening).toBeGreaterThanOrEqual(30);
  expect(warnings).toEqual([]);
});
