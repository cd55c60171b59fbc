/**
 * The real senders of large bodies against services in a world without time, with all that can go wrong: a service that
 * keeps its size is never called broken, and one that takes other sizes, or loses what it takes, is never passed.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { judge } from '../reports/verdicts/index.ts';
import type { ExchangeOptions } from '../scenarios/execute/exchange.ts';
import type { OutgoingRequest } from '../scenarios/execute/requests.ts';
import { planLoad } from '../scenarios/index.ts';
import type { Upload, Uploaded } from '../scenarios/kinds/payload/send/upload.ts';
import { analyse } from '../scenarios/run/analyse.ts';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { decodeLedger } from '../schemas/ledger.ts';
import type { ResultCheck } from '../schemas/results.ts';
import type { TargetConfig } from '../schemas/target.ts';
import { type JobsService, JobsTarget } from './support/trouble/jobs-target.ts';
import { playScript, type Script } from './support/trouble/play-script.ts';
import { VirtualK6 } from './support/trouble/virtual-k6.ts';
import { VirtualNode } from './support/trouble/virtual-node.ts';
import type { WorldTrouble } from './support/trouble/virtual-world.ts';
import { worldTroubles } from './support/trouble/world-troubles.ts';

const own = vi.hoisted((): { k6?: VirtualK6; node?: VirtualNode } => ({}));
const virtual = () => {
  own.k6 ??= new VirtualK6();
  return own.k6;
};
const node = () => {
  own.node ??= new VirtualNode();
  return own.node;
};
vi.mock('k6', () => virtual().k6);
vi.mock('k6/execution', () => virtual().execution);
vi.mock('k6/http', () => virtual().http);
vi.mock('../scenarios/execute/stopwatch.ts', () => ({ stopwatch: () => node().stopwatch() }));
vi.mock('../scenarios/execute/exchange.ts', () => ({
  exchange: (one: OutgoingRequest, options: ExchangeOptions) => node().exchange(one, options),
}));
vi.mock('../scenarios/kinds/payload/send/upload.ts', () => ({
  upload: (one: Upload): Promise<Uploaded> => node().upload(one),
}));
vi.mock('node:timers/promises', () => ({ setTimeout: (ms: number) => node().pause(ms) }));

const table = scaledTable();
const only = ['{run,runsync}.payload.{guarantee,enforced,refusal}'];
const PATIENCE_MS = 400_000;
/** More of them now and then: `TROUBLE_RUNS=2000 npx vitest run --project unit test/trouble-payload.test.ts`. */
const RUNS = Number(process.env.TROUBLE_RUNS ?? 40);
const TEST_MS = 30_000 + 1000 * RUNS;
const NONE: WorldTrouble = { kind: 'none' };
/** Each of so many small bodies of one probe may be cut by chance, so more than this cannot be told from a size. */
const MOST_CUT = 0.1;

interface Stage {
  readonly acceptBytes: number;
  readonly refuseBytes: number;
  readonly untilMs: number;
  verdicts(service: Partial<JobsService>, trouble: WorldTrouble): Promise<readonly ResultCheck[]>;
}

async function stageFor(operation: string): Promise<Stage> {
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
  const [jobBaseUrl, instId] = ['http://target.test', 'inst-a'];
  const target: TargetConfig = { kind: 'reference', baseUrl: null, jobBaseUrl, endpoints, model: null };
  const calibration = { roundTripMs: 2, quickJobMs: 2, chatMs: 5 };
  const plan = planLoad({ target, profile: 'gate', only, calibration, table });
  const probe = plan.probes.find(({ id }) => id === `${operation}.payload`);
  const parameters = probe?.parameters;
  if (!probe || parameters?.kind !== 'payload') throw new Error('a payload probe is planned');
  const addresses = { baseUrl: null, jobBaseUrl, model: null, instId, runId: 'r' };
  vi.resetModules();
  vi.stubGlobal('open', () => JSON.stringify({ probe: parameters, addresses, workersMax: 3, patienceMs: PATIENCE_MS }));
  vi.stubGlobal('__ENV', {});
  const { setup, sizes, teardown } = await import('../scenarios/k6/payload.ts');
  const { sendNodePhase } = await import('../scenarios/kinds/payload/send/node-phase.ts');
  const script: Script = { setup, act: sizes, teardown };
  const { acceptBytes, refuseBytes } = parameters;
  const play = async (service: Partial<JobsService>, trouble: WorldTrouble) => {
    const sound = { workersMax: 3, mostBytes: refuseBytes - 1, ...service };
    const { ledger, world } = await playScript(script, virtual(), new JobsTarget(sound), trouble);
    node().enter(world, trouble);
    const env = { signal: node().signal, progress: () => {} };
    const sending = { addresses, workersMax: 3, key: null };
    // Both clocks go with the time of this world; else the difference would be a step of the wall clock.
    const elapsed = node().stopwatch();
    const wallMs = Date.now();
    const clocks = [
      vi.spyOn(Date, 'now').mockImplementation(() => wallMs + elapsed()),
      vi.spyOn(performance, 'now').mockImplementation(elapsed),
    ];
    const sent = sendNodePhase(parameters, sending, env, ledger);
    const whole = await sent.finally(() => clocks.map((one) => one.mockRestore()));
    return { ledger: whole, tookMs: world.nowMs };
  };
  const { tookMs } = await play({}, NONE);
  const declaredLoad = plan.declared.filter(({ id }) => probe.checkIds.includes(id));
  return {
    acceptBytes,
    refuseBytes,
    untilMs: tookMs,
    async verdicts(service, trouble) {
      const facts = analyse(probe, decodeLedger((await play(service, trouble)).ledger));
      return judge({ checkFacts: [], loadFacts: [facts], declaredLoad, endpoints, table }).checks;
    },
  };
}

const stages = new Map<string, Promise<Stage>>();
function stage(operation: string): Promise<Stage> {
  const known = stages.get(operation) ?? stageFor(operation);
  stages.set(operation, known);
  return known;
}

const having = (checks: readonly ResultCheck[], ...verdicts: readonly string[]): string[] =>
  checks
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id, observed, reason }) => `${id}: ${observed} (${reason})`);

const isDistinguishable = (trouble: WorldTrouble): boolean => trouble.kind !== 'cut' || trouble.share <= MOST_CUT;

describe.each(['run', 'runsync'])('%s', { timeout: TEST_MS }, (operation) => {
  const sound: readonly (readonly [string, (sizes: Stage) => Partial<JobsService>])[] = [
    ['the larger reading of a megabyte', () => ({})],
    ['the smaller one', ({ acceptBytes }) => ({ mostBytes: acceptBytes })],
    ['jobs that begin again after a restart', () => ({ restarts: 'requeues' })],
  ];
  test.each(sound)('a sound one with %s is never called broken', async (_, service) => {
    const sizes = await stage(operation);
    const unimpaired = await sizes.verdicts(service(sizes), NONE);
    expect(unimpaired.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
    await fc.assert(
      fc.asyncProperty(worldTroubles(sizes.untilMs).filter(isDistinguishable), async (trouble) => {
        const checks = await sizes.verdicts(service(sizes), trouble);
        expect(having(checks, 'fail', 'warn', 'error')).toEqual([]);
        for (const { verdict, reason, observed } of checks) {
          if (verdict === 'inconclusive') expect(`${reason} (${observed})`).toMatch(/\d|not seen/);
        }
      }),
      { numRuns: RUNS },
    );
  });

  const broken: readonly (readonly [string, (sizes: Stage) => Partial<JobsService>, RegExp, string])[] = [
    ['no limit', () => ({ mostBytes: Number.POSITIVE_INFINITY }), /enforced/, 'fail'],
    ['one byte too many', ({ refuseBytes }) => ({ mostBytes: refuseBytes }), /enforced/, 'fail'],
    ['one byte too few', ({ acceptBytes }) => ({ mostBytes: acceptBytes - 1 }), /guarantee/, 'fail'],
    ['one byte too few, cut', ({ acceptBytes }) => ({ mostBytes: acceptBytes - 1, tooLarge: 0 }), /guarantee/, 'fail'],
    ['larger bodies cut', () => ({ tooLarge: 0 }), /refusal/, 'warn'],
  ];
  test.each(broken)('%s is found, and never passed', async (_, service, ids, verdict) => {
    const sizes = await stage(operation);
    const found = having(await sizes.verdicts(service(sizes), NONE), verdict);
    expect(found).toEqual([expect.stringMatching(ids)]);
    await fc.assert(
      fc.asyncProperty(worldTroubles(sizes.untilMs).filter(isDistinguishable), async (trouble) => {
        const passed = having(await sizes.verdicts(service(sizes), trouble), 'pass');
        expect(passed.filter((line) => ids.test(line.split(':')[0] ?? ''))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

test('jobs of large bodies that are lost are found, and never passed', { timeout: TEST_MS }, async () => {
  const sizes = await stage('run');
  const service = { losesBeyond: sizes.acceptBytes - 1 };
  expect(having(await sizes.verdicts(service, NONE), 'fail')).toEqual([expect.stringMatching(/guarantee.*unknown/)]);
  await fc.assert(
    fc.asyncProperty(worldTroubles(sizes.untilMs).filter(isDistinguishable), async (trouble) => {
      expect(having(await sizes.verdicts(service, trouble), 'pass').filter((line) => /guarantee:/.test(line))).toEqual(
        [],
      );
    }),
    { numRuns: RUNS },
  );
});
