/** What a plan announces: every part of a run, and nothing is sent for it. */
import { expect, test } from 'vitest';
import { documentedTable } from '../../schemas/limits.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import { printPlan } from './plan.ts';

const target: TargetConfig = {
  kind: 'remote',
  baseUrl: 'http://127.0.0.1:9',
  jobBaseUrl: 'http://127.0.0.1:9',
  endpoints: [{ instId: 'one', workersMax: 3, dedicated: true }],
  model: null,
};

async function planned(change: Partial<Settings> = {}): Promise<string> {
  const settings: Settings = {
    target,
    credentials: { accessKey: 'a', jobKey: 'a', brokeKey: null, otherKey: null },
    profile: 'gate',
    only: [],
    values: {},
    ...change,
  };
  let text = '';
  const stream = { write: (part: string) => (text += part) } as unknown as NodeJS.WriteStream;
  const host = { stdout: stream, stderr: stream, env: {}, fatal: new Promise<never>(() => {}), protect: () => {} };
  expect(await printPlan(settings, host)).toBe(0);
  return text;
}

interface Amount {
  readonly requests: number;
  readonly bytes: number;
}
interface Plan extends Amount {
  readonly wiring: Amount;
  readonly contract: Amount & { readonly checks: number; readonly waitMs: number };
  readonly again: Amount;
  readonly total: Amount;
  readonly notes: readonly string[];
}
const json = async (change: Partial<Settings> = {}): Promise<Plan> =>
  JSON.parse(await planned({ values: { json: true }, ...change })) as Plan;

test('every part is announced, and the parts add up', async () => {
  const { wiring, contract, again, total, requests, bytes } = await json();
  expect(contract.checks).toBeGreaterThan(300);
  expect(total.requests).toBe(wiring.requests + contract.requests + requests + again.requests);
  expect(total.bytes).toBe(wiring.bytes + contract.bytes + bytes + again.bytes);
  const text = await planned();
  expect(text).toContain(
    `contract: ${contract.checks} checks in at most 4 min (longer on a slow target); at most ${contract.requests.toLocaleString('en-US')}`,
  );
  expect(text).toContain(`in all at most ${total.requests.toLocaleString('en-US')} requests`);
});

test('a possible retry is announced too, and with --once is not', async () => {
  const [usual, once] = [await json(), await json({ values: { json: true, once: true } })];
  const { contract } = usual;
  const all = { requests: usual.requests + contract.requests, bytes: usual.bytes + contract.bytes };
  expect(usual.again).toEqual(all);
  expect(once.again).toEqual({ requests: 0, bytes: 0 });
  expect(once.total.requests).toBe(usual.total.requests - all.requests);
  const text = 'retry, if all checks are inconclusive: at most';
  expect(await planned()).toContain(text);
  expect(await planned({ values: { once: true } })).not.toContain(text);
});

test('a nightly says how long jobs age, and sends more', async () => {
  const [gate, nightly] = [await json(), await json({ profile: 'nightly' })];
  expect(gate.contract.waitMs).toBe(0);
  expect(nightly.contract.waitMs).toBe(documentedTable.find('retention', 'run')?.value);
  expect(nightly.contract.requests).toBeGreaterThan(gate.contract.requests);
  expect(await planned({ profile: 'nightly' })).toContain('jobs age for 30 min, and the load runs during that');
  expect((await json({ profile: 'nightly', only: ['runsync.retention.*'] })).contract.waitMs).toBe(
    documentedTable.find('retention', 'runsync')?.value,
  );
});

test('a selection and a shared endpoint take less', async () => {
  const all = await json();
  const some = await json({ only: ['cancel.*'] });
  expect(some.contract.requests).toBeLessThan(all.contract.requests / 5);
  const endpoints = [{ instId: 'one', workersMax: 3, dedicated: false }];
  expect((await json({ target: { ...target, endpoints } })).contract.requests).toBeLessThan(all.contract.requests);
  expect((await json({ target: { ...target, baseUrl: null } })).wiring.requests).toBeLessThan(all.wiring.requests);
});

test('what the configured workloads leave unseen is said', async () => {
  const workloads = { quick: { say: 'hello' }, failing: null };
  const text = await planned({ target: { ...target, workloads } });
  expect(text).toContain('workloads.quick has no {{echo}}: checks that distinguish results are inconclusive');
  expect(text).toContain('workloads.failing is null');
  expect((await json({ target: { ...target, workloads } })).notes).toHaveLength(2);
});
