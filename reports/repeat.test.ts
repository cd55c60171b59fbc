/** The command that carries out one check again: pasted into a shell, it asks the same of the same target. */
import { expect, test } from 'vitest';
import { HEALTH_UNLIMITED } from '../schemas/load-checks.ts';
import type { Results } from '../schemas/results.ts';
import { repeatOf } from './repeat.ts';
import { sampleResults } from './testing/fixtures.ts';

const remote: Results['target'] = {
  kind: 'remote',
  baseUrl: 'http://a:1',
  jobBaseUrl: 'https://jobs.example',
  endpoints: [{ instId: 'my endpoint', workersMax: 3, dedicated: true }],
  model: 'a/b',
};
const sample = sampleResults('passing');
const of = (id: string, target: Results['target'] = remote, run = sample.run) =>
  repeatOf({ id }, { ...sample, target, run });

test('a limit is loaded again, a contract check repeated', () => {
  const where =
    "--base-url http://a:1 --job-base-url https://jobs.example --inst-id 'my endpoint' --workers-max 3 --dedicated --model a/b";
  expect(of('run.rate.guarantee').command).toBe(`npx proofload load --only run.rate.guarantee ${where}`);
  expect(of(HEALTH_UNLIMITED).command).toMatch(/^npx proofload load /);
  expect(of('goal.run.p99').command).toMatch(/^npx proofload load /);
  expect(of('models.list').command).toBe(`npx proofload conformance --only models.list ${where}`);
});

test('the reference has no address, and endpoints that differ stand in the configuration', () => {
  expect(of('models.list', { ...remote, kind: 'reference' }).command).toMatch(/ --reference$/);
  const endpoints = [
    { instId: 'a', workersMax: 1, dedicated: true },
    { instId: 'b', workersMax: 2, dedicated: true },
  ];
  const run = { ...sample.run, config: 'my staging.yaml' };
  expect(of('models.list', { ...remote, endpoints }, run).command).toMatch(/ --config 'my staging.yaml'$/);
});

test('what no option can say is in the file, and a profile of its own is named', () => {
  const configured = { ...sample.run, config: 'a.yaml' };
  expect(of('up.payload.guarantee', remote, configured).command).toContain(' --config a.yaml --base-url ');
  expect(of('models.list').command).not.toContain('--config');
  const nightly = { ...sample.run, profile: 'nightly' } as const;
  expect(of('run.retention.guarantee', remote, nightly).command).toMatch(/ --profile nightly$/);
  expect(of('models.list', { ...remote, otherAddress: '127.0.0.2' }).command).toMatch(/ --other-address 127\.0\.0\.2$/);
});

test('what its probes took this time is its cost', () => {
  const health = {
    planned: 1,
    unanswered: 0,
    unansweredError: '',
    unreadable: 0,
    clockStepMs: 0,
    complete: true,
    latenessMs: 0,
  };
  const ran = { fromMs: 1000, untilMs: 58_000 };
  const probes = [
    { ...health, sent: 4000, probe: 'run.rate', ran },
    { ...health, sent: 57, probe: 'run.rate.scope', ran: { fromMs: 0, untilMs: 500 } },
    { ...health, sent: 9, probe: 'runsync.rate', ran },
  ];
  const whole = {
    sent: 1,
    unanswered: 0,
    dropped: 0,
    lateness: null,
    leastIdleShare: null,
    loopLagMs: null,
    peakBytes: null,
    clockStepMs: 0,
  };
  const run = { ...sample.run, generator: { probes, whole, shortfalls: [] } };
  expect(of('run.rate.enforced', remote, run).cost).toBe('57 s, 4,057 requests');
  expect(of('models.list', remote, run)).not.toHaveProperty('cost');
});
