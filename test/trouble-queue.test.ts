/**
 * The real queue script against services in a world without time, with all that can go wrong: a sound queue is never
 * called broken, and one without the rule, or a purge that does something else, is never said to be right.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { judge } from '../reports/verdicts/index.ts';
import { planLoad } from '../scenarios/index.ts';
import { END_POLL_EVERY_MS } from '../scenarios/k6/lib/queue-costs.ts';
import { analyse } from '../scenarios/run/analyse.ts';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { decodeLedger } from '../schemas/ledger.ts';
import { limitTable, queueBorder } from '../schemas/limits.ts';
import type { ResultCheck } from '../schemas/results.ts';
import type { TargetConfig } from '../schemas/target.ts';
import { type JobsService, JobsTarget } from './support/trouble/jobs-target.ts';
import { playScript, type Script } from './support/trouble/play-script.ts';
import { VirtualK6 } from './support/trouble/virtual-k6.ts';
import type { WorldTrouble } from './support/trouble/virtual-world.ts';
import { worldTroubles } from './support/trouble/world-troubles.ts';

const own = vi.hoisted((): { k6?: VirtualK6 } => ({}));
const virtual = () => {
  own.k6 ??= new VirtualK6();
  return own.k6;
};
vi.mock('k6', () => virtual().k6);
vi.mock('k6/execution', () => virtual().execution);
vi.mock('k6/http', () => virtual().http);

/** Borders of 4 without workers, 7 with one and 14 with two. */
const [SMALL, PER_WORKER] = [4, 7];
const scaled = scaledTable({ values: { 'run.queue': SMALL, 'runsync.queue': SMALL, 'run.concurrency': 20 } });
const table = limitTable(scaled.rows.map((row) => (row.kind === 'queue' ? { ...row, perWorker: PER_WORKER } : row)));
const only = ['*.queue.{guarantee,enforced,reopens}', 'purge-queue.load.*'];
const PATIENCE_MS = 400_000;
/** More of them now and then: `TROUBLE_RUNS=2000 npx vitest run --project unit test/trouble-queue.test.ts`. */
const RUNS = Number(process.env.TROUBLE_RUNS ?? 40);
const TEST_MS = 30_000 + 1000 * RUNS;

interface Stage {
  readonly border: number;
  readonly untilMs: number;
  /** When its purge is sent without any trouble. */
  readonly purgeMs: number;
  verdicts(service: Partial<JobsService>, trouble: WorldTrouble): Promise<readonly ResultCheck[]>;
}

const NONE: WorldTrouble = { kind: 'none' };

async function stageFor(workersMax: number): Promise<Stage> {
  const endpoints = [{ instId: 'inst-a', workersMax, dedicated: true }];
  const [jobBaseUrl, instId] = ['http://target.test', 'inst-a'];
  const target: TargetConfig = { kind: 'reference', baseUrl: null, jobBaseUrl, endpoints, model: null };
  const calibration = { roundTripMs: 2, quickJobMs: 2, chatMs: 5 };
  const plan = planLoad({ target, profile: 'gate', only, calibration, table });
  const probe = plan.probes.find(({ parameters }) => parameters.kind === 'queue');
  if (!probe) throw new Error('a queue probe is planned');
  const addresses = { baseUrl: null, jobBaseUrl, model: null, instId, runId: 'r' };
  const file = { probe: probe.parameters, addresses, workersMax, patienceMs: PATIENCE_MS };
  vi.resetModules();
  vi.stubGlobal('open', () => JSON.stringify(file));
  vi.stubGlobal('__ENV', {});
  const { setup, queue, teardown } = await import('../scenarios/k6/queue.ts');
  const script: Script = { setup, act: queue, teardown };
  const [rule] = table.of('queue');
  if (!rule) throw new Error('the table has a queue limit');
  const border = queueBorder(rule, workersMax);
  const play = (service: Partial<JobsService>, trouble: WorldTrouble) => {
    const whole = { workersMax, refuses: (queued: number) => queued > border, ...service };
    return playScript(script, virtual(), new JobsTarget(whole), trouble);
  };
  const { tookMs, ledger: untroubled } = await play({}, NONE);
  return {
    border,
    untilMs: tookMs,
    purgeMs: decodeLedger(untroubled).entries.find(({ phase }) => phase === 'purge')?.sentMs ?? 0,
    async verdicts(service, trouble) {
      const { ledger } = await play(service, trouble);
      const facts = analyse(probe, decodeLedger(ledger));
      const declaredLoad = plan.declared.filter(({ id }) => probe.checkIds.includes(id));
      return judge({ checkFacts: [], loadFacts: [facts], declaredLoad, endpoints, table }).checks;
    },
  };
}

const stages = new Map<number, Promise<Stage>>();
function stage(workersMax: number): Promise<Stage> {
  const known = stages.get(workersMax) ?? stageFor(workersMax);
  stages.set(workersMax, known);
  return known;
}

/** More than it takes to look at everything before the purge, and at the queued jobs after it. */
const AROUND_MS = 100;

const having = (checks: readonly ResultCheck[], verdict: string): string[] =>
  checks.filter((one) => one.verdict === verdict).map(({ id, observed, reason }) => `${id}: ${observed} (${reason})`);

const sound: Readonly<Record<string, (border: number) => Partial<JobsService>>> = {
  'the rule read before insertion': () => ({}),
  'the rule read after insertion': (border) => ({ refuses: (queued) => queued + 1 > border }),
  'a silent health': () => ({ healthReports: false }),
  'purged jobs that are cancelled': () => ({ purged: 'CANCELLED' }),
  'cancelled jobs that are forgotten': () => ({ forgetsCancelled: true }),
  'jobs that fail in a restart': () => ({ restarts: 'fails' }),
  'jobs that begin again after a restart': () => ({ restarts: 'requeues', purged: 'CANCELLED' }),
};

/**
 * Running jobs that failed in a restart which nothing else shows, for no request met it and no job was forgotten, or the
 * cancelled one that would show it is forgotten anyway: that is what a purge that ends running jobs looks like too.
 */
const isUnseen = (trouble: WorldTrouble, { restarts, forgetsCancelled }: Partial<JobsService>): boolean =>
  trouble.kind === 'restart' &&
  (restarts === 'fails' || forgetsCancelled === true) &&
  trouble.forMs < END_POLL_EVERY_MS;

describe.each([0, 1, 2])('WorkersMax %i', { timeout: TEST_MS }, (workersMax) => {
  test.each(Object.entries(sound))('a sound one with %s is never called broken', async (_, service) => {
    const { border, untilMs, verdicts } = await stage(workersMax);
    expect(having(await verdicts(service(border), NONE), 'fail')).toEqual([]);
    await fc.assert(
      fc.asyncProperty(worldTroubles(untilMs), async (trouble) => {
        fc.pre(!isUnseen(trouble, service(border)));
        const checks = await verdicts(service(border), trouble);
        expect(having(checks, 'fail')).toEqual([]);
        expect(having(checks, 'error')).toEqual([]);
        for (const { verdict, reason, observed } of checks) {
          if (verdict === 'inconclusive') expect(`${reason} (${observed})`).toMatch(/\d/);
        }
      }),
      { numRuns: RUNS },
    );
  });

  const broken: readonly (readonly [string, (border: number) => Partial<JobsService>, RegExp])[] = [
    ['no rule', () => ({ refuses: () => false }), /enforced|reopens/],
    ['a border of two more', (border) => ({ refuses: (queued) => queued > border + 2 }), /enforced/],
    ['a border of two fewer', (border) => ({ refuses: (queued) => queued > border - 2 }), /guarantee/],
    ['a purge that does nothing', () => ({ purged: 'left' }), /clears-queued/],
    ['a purge that forgets running jobs', () => ({ purgesRunning: 'unknown' }), /keeps-running/],
    ['a purge that cancels running jobs', () => ({ purgesRunning: 'CANCELLED' }), /keeps-running/],
  ];

  test.each(broken)('%s is never passed', async (_, service, ids) => {
    const { border, untilMs, verdicts } = await stage(workersMax);
    await fc.assert(
      fc.asyncProperty(worldTroubles(untilMs), async (trouble) => {
        const passed = (await verdicts(service(border), trouble)).filter(({ verdict }) => verdict === 'pass');
        expect(passed.filter(({ id }) => ids.test(id))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

test.each([1, 2])(
  'a restart right around the purge is neither a purge nor a broken one: WorkersMax %i',
  async (workersMax) => {
    const { purgeMs, verdicts } = await stage(workersMax);
    expect(purgeMs).toBeGreaterThan(AROUND_MS);
    for (let atMs = Math.round(purgeMs) - AROUND_MS; atMs < purgeMs + AROUND_MS; atMs += 2) {
      const restart = { kind: 'restart', atMs, forMs: 0 } as const;
      expect(having(await verdicts({ healthReports: false }, restart), 'fail')).toEqual([]);
      const idle = await verdicts({ purged: 'left' }, restart);
      expect(idle.filter(({ id, verdict }) => verdict === 'pass' && id.endsWith('.clears-queued'))).toEqual([]);
    }
  },
);

test.each([0, 1, 2])('without trouble everything is decided: WorkersMax %i', async (workersMax) => {
  const { verdicts } = await stage(workersMax);
  const checks = await verdicts({}, NONE);
  expect(checks.map(({ verdict }) => verdict)).toEqual(checks.map(() => 'pass'));
});

test.each([0, 1, 2])('a refusal of another status is found: WorkersMax %i', async (workersMax) => {
  const { verdicts } = await stage(workersMax);
  const failed = having(await verdicts({ refusal: 503 }, NONE), 'fail');
  expect(failed).toEqual([expect.stringMatching(/^run\.queue\.enforced: .*answered 503/)]);
});
