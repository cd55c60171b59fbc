/**
 * Manifests for k6-operator 1.6 (TestRun, k6.io/v1alpha1): one TestRun for each probe, whose runners leave their ledgers on
 * a volume that they share. They are plain objects; the caller writes them as YAML.
 */
import type { PlannedProbe } from '../../scenarios/index.ts';
import { PARAMETERS_FILE, START_AT, TARGET_KEY } from '../../scenarios/k6/lib/parameters.ts';
import { operationIn } from '../../schemas/own.ts';
import type { TargetConfig } from '../../schemas/target.ts';

/** The version that proofload itself uses. */
export const K6_IMAGE = 'grafana/k6:2.2.0';
const SHELL_IMAGE = 'busybox:1.37.0';
export const NAMES = {
  scripts: 'proofload-scripts',
  start: 'proofload-start',
  keys: 'proofload-keys',
  results: 'proofload-results',
  collect: 'proofload-collect',
} as const;
/** Where k6-operator mounts the ConfigMap, and we the volume. */
const [SCRIPTS, RESULTS] = ['/test', '/results'];
const LABELS = { 'app.kubernetes.io/part-of': 'proofload' };
/** k6's own user, in its image. */
const USER = 12345;
/** Larger ConfigMaps are refused by Kubernetes. */
export const CONFIG_MAP_MOST_BYTES = 1_048_576;

export type Manifest = Readonly<Record<string, unknown>>;

export const parametersFile = (probe: Pick<PlannedProbe, 'id'>): string => `${probe.id}.json`;
export const nameOf = ({ id }: Pick<PlannedProbe, 'id'>): string => `proofload-${id.replace(/[^a-z0-9]+/g, '-')}`;

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const asUser = { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER };
const volumes = [{ name: 'results', persistentVolumeClaim: { claimName: NAMES.results } }];
const volumeMounts = [{ name: 'results', mountPath: RESULTS }];

/** @param script its name without its ending */
export function testRun(probe: PlannedProbe, script: string, runners: number, target: TargetConfig): Manifest {
  const name = nameOf(probe);
  const { parameters } = probe;
  const [first = 'health'] =
    'operation' in parameters ? [parameters.operation] : 'operations' in parameters ? parameters.operations : [];
  const key = operationIn(target.operations, first).interface === 'jobs' ? 'job-key' : 'access-key';
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name, labels: LABELS },
    spec: {
      parallelism: runners,
      quiet: 'true',
      script: { configMap: { name: NAMES.scripts, file: `${script}.js` } },
      // Exactly as they stand: the older `arguments` go through a shell.
      args: [
        ...['--log-format', 'raw', '--console-output', `${RESULTS}/${probe.id}.$(POD_NAME).ndjson`],
        ...['--summary-mode', 'disabled', '--no-thresholds', '--no-usage-report', '--no-color'],
      ],
      // Disabled because it only parses the script again.
      initializer: { disabled: true },
      runner: {
        image: K6_IMAGE,
        env: [
          { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: PARAMETERS_FILE, value: `${SCRIPTS}/${parametersFile(probe)}` },
          { name: START_AT, valueFrom: { configMapKeyRef: { name: NAMES.start, key: 'start-at' } } },
          { name: TARGET_KEY, valueFrom: { secretKeyRef: { name: NAMES.keys, key } } },
          { name: 'GOGC', value: '400' },
          { name: 'GOMEMLIMIT', value: '512MiB' },
        ],
        resources: { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '768Mi' } },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: { k6_cr: name, runner: 'true' } },
          },
        ],
        securityContext: asUser,
        containerSecurityContext: restricted,
        volumes,
        volumeMounts,
      },
    },
  };
}

/** What the runners share, and one pod to copy their ledgers from: nothing is cleaned up before. */
export function shared(): readonly Manifest[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: NAMES.results, labels: LABELS },
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '10Gi' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: NAMES.collect, labels: LABELS },
      spec: {
        securityContext: asUser,
        containers: [
          {
            name: 'collect',
            image: SHELL_IMAGE,
            command: ['sleep', '86400'],
            resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
            securityContext: restricted,
            volumeMounts,
          },
        ],
        volumes,
      },
    },
  ];
}

/** The runners reach the target and names, and only those who start them reach them. */
export function networkPolicy({ baseUrl, jobBaseUrl }: TargetConfig): Manifest {
  const urls = [baseUrl, jobBaseUrl].flatMap((url) => (url === null ? [] : [new URL(url)]));
  const ports = urls.map(({ port, protocol }) => Number(port) || (protocol === 'https:' ? 443 : 80));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'proofload-runners', labels: LABELS },
    spec: {
      podSelector: { matchLabels: { app: 'k6', runner: 'true' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: 6565 }] }],
      egress: [
        { ports: [...new Set(ports)].map((port) => ({ protocol: 'TCP', port })) },
        { ports: (['UDP', 'TCP'] as const).map((protocol) => ({ protocol, port: 53 })) },
      ],
    },
  };
}

/** @param files of the ConfigMap, below the directory */
export const kustomization = (resources: readonly string[], files: readonly string[]): Manifest => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources,
  configMapGenerator: [{ name: NAMES.scripts, files }],
  generatorOptions: { disableNameSuffixHash: true, labels: LABELS },
});
