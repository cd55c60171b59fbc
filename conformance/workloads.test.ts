/**
 * A handler that speaks another language than the reference's: told about it, the suite finds the service as right as
 * before, and what the handler can't do is left out and named.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Handler } from '../reference/jobs/handler.ts';
import { defaultOptions } from '../reference/options.ts';
import type { CheckFacts } from '../schemas/facts.ts';
import { at } from '../schemas/json.ts';
import type { TargetConfig } from '../schemas/target.ts';
import type { Workloads } from '../schemas/workloads.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';

/** Takes `{ task: { say, wait, parts, gap, numbered }, crash }`; what it says is deep in its output. */
const foreign: Handler = async function* (input, sleep) {
  const task = at(input, 'task');
  const number = (name: string): number => Number(at(task, name) ?? 0);
  await sleep(number('wait'));
  for (let part = 0; part < number('parts'); part += 1) {
    await sleep(number('gap'));
    yield at(task, 'numbered') === false
      ? `part ${'abcdefghijklmnopqrstuvwxyz'[part]}`
      : { text: 'a part', chunk: part };
  }
  const crash = at(input, 'crash');
  if (typeof crash === 'string') throw new Error(`handler: ${crash}`);
  return { answer: at(task, 'say') };
};

const parts = { parts: '{{chunks}}', gap: '{{chunk_delay_ms}}' };
const theirs: Workloads = {
  quick: { task: { say: '{{echo}}' } },
  slow: { task: { say: '{{echo}}', wait: '{{delay_ms}}' } },
  streaming: { task: { say: '{{echo}}', ...parts } },
  failing: { task: { wait: '{{delay_ms}}', ...parts }, crash: 'because of {{fail}}' },
};

/** Interface A knows no workloads. */
const ofJobs = allChecks.filter(({ on }) => on === 'jobs');

async function facts(workloads: Workloads): Promise<CheckFacts[]> {
  const options = defaultOptions({});
  const config: TargetConfig = {
    kind: 'remote',
    baseUrl: 'http://reference.local',
    jobBaseUrl: 'http://reference.local',
    endpoints: options.instances.map((one) => ({ ...one, dedicated: true })),
    model: null,
    workloads,
  };
  const target = openReference({ config, options: { rules: { ...options.rules, handler: () => foreign } } });
  return runPlain(ofJobs, { target, profile: 'gate', signal: new AbortController().signal });
}

const isRed = ({ outcome }: CheckFacts): boolean =>
  outcome.kind === 'error' || (outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds));
const red = (all: readonly CheckFacts[]) => all.filter(isRed).map(({ id, outcome }) => [id, outcome]);
const outcomes = (all: readonly CheckFacts[]) => Object.fromEntries(all.map(({ id, outcome }) => [id, outcome]));
const patient = { timeout: 60_000 };

let whole: CheckFacts[];
beforeAll(async () => {
  whole = await facts(theirs);
}, 60_000);

test('with its own words, everything is answered and right', () => {
  expect(red(whole)).toEqual([]);
  expect(whole.filter(({ outcome }) => outcome.kind !== 'ran').map(({ id, outcome }) => [id, outcome])).toEqual([]);
});

test.each(['slow', 'streaming', 'failing'] as const)(
  'without a %s job, what needs one is skipped',
  patient,
  async (name) => {
    const all = await facts({ ...theirs, [name]: null });
    expect(red(all)).toEqual([]);
    const others = all.filter(({ outcome }) => outcome.kind !== 'ran').map(({ outcome }) => outcome);
    expect(others.length).toBeGreaterThan(0);
    const why = expect.stringContaining(`workloads.${name} is null`) as string;
    for (const outcome of others) {
      // Where no job of a kind can be had, its trace on the endpoint can't be seen either.
      if (outcome.kind === 'not-observable') expect(outcome.needs).toMatch(/on which a job failed/);
      else expect(outcome).toEqual({ kind: 'skipped', by: 'configuration', why });
    }
  },
);

test('without a quick job, checks that submit one are skipped, and the others run', patient, async () => {
  const all = await facts({ ...theirs, quick: null });
  expect(red(all)).toEqual([]);
  const { 'run.route': submits, 'health.route': asks } = outcomes(all);
  expect(submits).toMatchObject({ kind: 'skipped', by: 'configuration' });
  expect(asks).toMatchObject({ kind: 'ran' });
});

test.each<[string, Workloads, string, string]>([
  [
    'results that can not be told apart',
    { ...theirs, quick: { task: { say: 'hello' } } },
    'run.outputs-apart',
    'workloads.quick has no {{echo}}',
  ],
  [
    'slow jobs that say nothing of ours',
    { ...theirs, slow: { task: { say: 'done', wait: '{{delay_ms}}' } } },
    'runsync.results-crowd',
    'workloads.slow has no {{echo}}',
  ],
  [
    'chunks without a number',
    { ...theirs, streaming: { task: { say: '{{echo}}', ...parts, numbered: false } } },
    'stream.results',
    'they carry no numbers',
  ],
  [
    'a stream of its own length',
    { ...theirs, streaming: { task: { parts: 3, gap: 200, say: '{{echo}}' } } },
    'stream.late',
    'workloads.streaming has no {{chunks}}',
  ],
])('%s turn nothing red, and what they leave open is said', patient, async (_name, workloads, id, why) => {
  const all = await facts(workloads);
  expect(red(all)).toEqual([]);
  const reason = expect.stringContaining(why) as string;
  expect(outcomes(all)[id]).toMatchObject({ kind: 'inconclusive', reason });
  // Numbered or not, that results came while the job ran, and once each, can be seen.
  for (const seen of ['stream.incremental', 'stream.once']) expect(outcomes(all)[seen]).toMatchObject({ kind: 'ran' });
});

test.each<[string, Workloads]>([
  ['an error of its own words', { ...theirs, failing: { crash: 'out of memory' } }],
  ['slow jobs of one length', { ...theirs, slow: { task: { say: '{{echo}}', wait: 3000 } } }],
])('%s turn nothing red', patient, async (_name, workloads) => {
  expect(red(await facts(workloads))).toEqual([]);
});
