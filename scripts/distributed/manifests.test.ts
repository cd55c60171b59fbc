/** Manifests by what k6-operator 1.6 and Kubernetes know of them; that the command lines run is shown end to end. */
import { expect, test } from 'vitest';
import { endpoint, targetWith } from '../../scenarios/plan/testing/targets.ts';
import { kustomization, nameOf, networkPolicy, shared, testRun } from './manifests.ts';
import { parametersOf, planOf, probesOf } from './plan.ts';

const target = { ...targetWith([endpoint('a', 3)]), baseUrl: 'https://a.example', jobBaseUrl: 'http://b.example:8080' };
const distributed = { suiteVersion: '1', runId: 'run-1', runners: 20, target, profile: 'gate', only: [] } as const;
const plan = planOf(distributed);
const probes = probesOf(plan);

/** Fields of the custom resource's `spec` and its `runner`, as its documentation lists them. */
const SPEC = [
  'script',
  'parallelism',
  'separate',
  'args',
  'initializer',
  'starter',
  'runner',
  'quiet',
  'paused',
  'cleanup',
];
const RUNNER = [
  ...['image', 'env', 'envFrom', 'resources', 'volumes', 'volumeMounts', 'initContainers', 'nodeSelector'],
  ...['tolerations', 'topologySpreadConstraints', 'securityContext', 'containerSecurityContext', 'serviceAccountName'],
];

interface TestRun {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly parallelism: number;
    readonly args: readonly string[];
    readonly script: { readonly configMap: { readonly file: string } };
    readonly runner: {
      readonly image: string;
      readonly env: readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef?: unknown } }[];
    };
  };
}

const runs = probes.map((probe) => testRun(probe, 'rate', 20, target) as unknown as TestRun);

test('a TestRun for each rate and for health, with fields that the operator knows', () => {
  expect(probes.map(({ id }) => id).sort()).toEqual(
    ['cancel', 'purge-queue', 'requests', 'run', 'runsync', 'status']
      .map((one) => `${one}.rate`)
      .concat('health.unlimited')
      .sort(),
  );
  for (const { metadata, spec } of runs) {
    expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]{0,60}[a-z0-9])$/);
    for (const key of Object.keys(spec)) expect(SPEC).toContain(key);
    for (const key of Object.keys(spec.runner)) expect(RUNNER).toContain(key);
    expect(spec.parallelism).toBe(20);
    expect(spec.runner.image).toMatch(/:\d+\.\d+\.\d+$/);
  }
  expect(new Set(runs.map(({ metadata }) => metadata.name)).size).toBe(runs.length);
});

test('keys come from a Secret, the start from a ConfigMap, and each pod has a ledger of its own', () => {
  for (const { spec } of runs) {
    const key = spec.runner.env.find(({ name }) => name === 'TARGET_KEY');
    expect(key?.valueFrom?.secretKeyRef).toEqual({ name: 'proofload-keys', key: 'job-key' });
    expect(spec.args.join(' ')).toMatch(/--console-output \/results\/\S+\.\$\(POD_NAME\)\.ndjson/);
  }
});

test('whether addresses are counted apart is asked only where it is named, with the key of its interface', () => {
  const [probe, ...others] = probesOf(planOf({ ...distributed, only: ['inference.concurrency.per-address'] }));
  expect(others).toEqual([]);
  expect(probe?.parameters).toMatchObject({ kind: 'addresses', runners: 20 });
  const manifest = probe && (testRun(probe, 'addresses', 20, target) as unknown as TestRun);
  const key = manifest?.spec.runner.env.find(({ name }) => name === 'TARGET_KEY');
  expect(key?.valueFrom?.secretKeyRef).toEqual({ name: 'proofload-keys', key: 'access-key' });
});

test('what a script is given: no bursts at the same moment, and time until all pods are there', () => {
  const given = probes.map((probe) => parametersOf(probe, plan, distributed));
  expect(new Set(given.map(({ runner }) => runner?.afterMs)).size).toBeGreaterThan(1);
  for (const { patienceMs, runner, addresses } of given) {
    expect(runner).toMatchObject({ startAtMs: null, timeUrl: null });
    expect(patienceMs).toBeGreaterThan(900_000);
    expect(addresses.runId).toBe('run-1');
  }
});

test('pods reach the ports of the target and names, nothing else', () => {
  expect(networkPolicy(target)).toMatchObject({
    spec: { egress: [{ ports: [{ port: 443 }, { port: 8080 }] }, { ports: [{ port: 53 }, { port: 53 }] }] },
  });
});

test('the directory is one kustomization', () => {
  const made = kustomization(['results.yaml'], ['rate.js', 'run.rate.json']);
  expect(made).toMatchObject({
    resources: ['results.yaml'],
    configMapGenerator: [{ files: ['rate.js', 'run.rate.json'] }],
  });
  expect(shared().map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim', 'Pod']);
  expect(nameOf({ id: 'purge-queue.rate' })).toBe('proofload-purge-queue-rate');
});
