/** Manifests by what k6-operator 1.6 and Kubernetes know of them; that the command lines run is shown end to end. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { endpoint, targetWith } from '../../scenarios/plan/testing/targets.ts';
import testRunSpec from '../../test/k6-operator/testrun.json' with { type: 'json' };
import { kustomization, nameOf, networkPolicy, shared, testRun } from './manifests.ts';
import { parametersOf, planOf, probesOf } from './plan.ts';

const target = { ...targetWith([endpoint('a', 3)]), baseUrl: 'https://a.example', jobBaseUrl: 'http://b.example:8080' };
const distributed = { suiteVersion: '1', runId: 'run-1', runners: 20, target, profile: 'gate', only: [] } as const;
const plan = planOf(distributed);
const probes = probesOf(plan);

/** As the operator publishes it (test/k6-operator/schema.ts). */
const validSpec = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(testRunSpec);

const breaks = (spec: unknown): string[] =>
  validSpec(spec) ? [] : (validSpec.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

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

test('a TestRun for each rate and for health, as its definition says', () => {
  expect(probes.map(({ id }) => id).sort()).toEqual(
    ['cancel', 'purge-queue', 'requests', 'run', 'runsync', 'status']
      .map((one) => `${one}.rate`)
      .concat('health.unlimited')
      .sort(),
  );
  for (const { metadata, spec } of runs) {
    expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]{0,60}[a-z0-9])$/);
    expect(breaks(spec)).toEqual([]);
    expect(spec.parallelism).toBe(20);
    expect(spec.runner.image).toMatch(/:\d+\.\d+\.\d+$/);
  }
  expect(new Set(runs.map(({ metadata }) => metadata.name)).size).toBe(runs.length);
});

test('what the operator would not take is seen', () => {
  const [{ spec } = { spec: { runner: {} } }] = runs;
  expect(breaks({ ...spec, arguements: '' })).toEqual([' must NOT have additional properties']);
  expect(breaks({ ...spec, parallelism: '20' })).toEqual(['/parallelism must be integer']);
  expect(breaks({ ...spec, runner: { ...spec.runner, volumes: [{ persistentVolumeClaim: {} }] } })).toEqual([
    "/runner/volumes/0 must have required property 'name'",
    "/runner/volumes/0/persistentVolumeClaim must have required property 'claimName'",
  ]);
});

test('keys come from a Secret, the start from a ConfigMap, and each pod has a ledger of its own', () => {
  for (const { spec } of runs) {
    const key = spec.runner.env.find(({ name }) => name === 'TARGET_KEY');
    expect(key?.valueFrom?.secretKeyRef).toEqual({ name: 'proofload-keys', key: 'job-key' });
    expect(spec.args.join(' ')).toMatch(/--console-output \/results\/\S+\.\$\(POD_NAME\)\.ndjson/);
  }
});

test('whether addresses are counted apart is tested only where it is named, with the key of its interface', () => {
  const [probe, ...others] = probesOf(planOf({ ...distributed, only: ['inference.concurrency.per-address'] }));
  expect(others).toEqual([]);
  expect(probe?.parameters).toMatchObject({ kind: 'addresses', runners: 20 });
  const manifest = probe && (testRun(probe, 'addresses', 20, target) as unknown as TestRun);
  expect(breaks(manifest?.spec)).toEqual([]);
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
