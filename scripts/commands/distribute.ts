/**
 * `proofload distribute`: a directory with which many runners on a Kubernetes cluster send what one machine can't, by
 * k6-operator. Sends nothing; what they leave behind is judged by `proofload report DIR`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { makeDirectory } from '../../reports/index.ts';
import { type LoadPlan, scriptsFolder } from '../../scenarios/index.ts';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { duration } from '../../schemas/thousands.ts';
import type { Settings } from '../cli/settings.ts';
import {
  CONFIG_MAP_MOST_BYTES,
  kustomization,
  type Manifest,
  NAMES,
  nameOf,
  networkPolicy,
  parametersFile,
  shared,
  testRun,
} from '../distributed/manifests.ts';
import { type DistributedPlan, LEDGERS, PLAN_FILE, parametersOf, planOf, probesOf } from '../distributed/plan.ts';
import type { Host } from '../host.ts';
import { suiteVersion } from '../package.ts';
import { newRunId } from '../run/directory.ts';

const DIRECTORY = 'proofload-distributed';

/** Resolves with 0. Throws UsageError for settings that no runners could work with, and where nothing can be written. */
export async function distribute(settings: Settings, host: Host): Promise<number> {
  const { target, profile, only, values } = settings;
  if (target === null)
    throw new UsageError('distribute needs a target that a cluster reaches: --base-url or --job-base-url');
  const { runners, out = DIRECTORY } = values;
  if (runners === undefined) throw new UsageError('distribute needs --runners, how many pods send each probe together');
  const plan = { suiteVersion: suiteVersion(), runId: newRunId(), runners, target, profile, only };
  const load = planOf(plan);
  const files = await filesOf(plan, load);
  await writeAll(resolve(out), files);
  host.stdout.write(
    `${out} is written: ${runners} runners for each of ${probesOf(load).length} probes. Its README.md has the five commands.\n`,
  );
  return 0;
}

/** Their texts, by name. Throws UsageError where they are too much for a ConfigMap. */
async function filesOf(plan: DistributedPlan, load: LoadPlan): Promise<ReadonlyMap<string, string>> {
  const probes = probesOf(load);
  const mounted = new Map<string, string>();
  for (const script of new Set(probes.map(({ parameters }) => parameters.kind))) {
    mounted.set(`${script}.js`, await readFile(join(scriptsFolder(), `${script}.js`), 'utf8'));
  }
  for (const probe of probes) mounted.set(parametersFile(probe), JSON.stringify(parametersOf(probe, load, plan)));
  const bytes = [...mounted].reduce((sum, [name, text]) => sum + Buffer.byteLength(name + text), 0);
  if (bytes > CONFIG_MAP_MOST_BYTES)
    throw new UsageError(`the scripts take ${bytes} bytes, more than a ConfigMap may have`);
  const yaml = (...manifests: readonly Manifest[]): string => manifests.map((one) => stringify(one)).join('---\n');
  const resources = { 'results.yaml': yaml(...shared()), 'network-policy.yaml': yaml(networkPolicy(plan.target)) };
  return new Map([
    [PLAN_FILE, `${JSON.stringify(plan, null, 2)}\n`],
    ['kustomization.yaml', yaml(kustomization(Object.keys(resources), [...mounted.keys()]))],
    ...Object.entries(resources),
    ...mounted,
    ...probes.map((probe): [string, string] => [
      `testruns/${nameOf(probe)}.yaml`,
      yaml(testRun(probe, probe.parameters.kind, plan.runners, plan.target)),
    ]),
    ['README.md', readme(plan, load.durationMs)],
  ]);
}

async function writeAll(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    await makeDirectory(join(directory, 'testruns'));
    for (const [name, text] of files) await writeFile(join(directory, name), text, { flag: 'wx' });
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    const why = code === 'EEXIST' ? 'holds files already; give another directory' : `can't be written (${code})`;
    throw new UsageError(`${directory} ${why} (--out)`);
  }
}

/** From the start of the pods to that of the load: images are pulled, and pods started one after the other. */
const LEAD_S = 180;

const readme = ({ runners, target }: DistributedPlan, durationMs: number): string => `# ${runners} runners on a cluster

For a cluster with [k6-operator](https://github.com/grafana/k6-operator) 1.6 and a volume that several pods can write to
(ReadWriteMany). Target: ${[target.baseUrl, target.jobBaseUrl].filter((url) => url !== null).join(' and ')}. The load takes about ${duration(durationMs)} and goes out of ${runners} pods for each probe.

\`\`\`sh
kubectl create secret generic ${NAMES.keys} --from-literal=access-key="$PROOFLOAD_ACCESS_KEY" --from-literal=job-key="$PROOFLOAD_JOB_KEY"
kubectl apply -k .
kubectl create configmap ${NAMES.start} --from-literal=start-at=$(( ($(date +%s) + ${LEAD_S}) * 1000 )) && kubectl apply -f testruns/
kubectl wait testrun -l app.kubernetes.io/part-of=proofload --for=jsonpath='{.status.stage}'=finished --timeout=${Math.ceil((durationMs / 1000 + LEAD_S) / 60) + 10}m
kubectl cp ${NAMES.collect}:/results ${LEDGERS} && npx proofload report .
\`\`\`

All runners start at the moment in \`${NAMES.start}\`, by the clock of the target; a pod that comes later is named, and makes its probe
inconclusive, as does one whose ledger is missing or torn. \`finished\` says only that the pods have ended: the verdict is that of
\`proofload report\`, with its exit code. After that: \`kubectl delete -k . -f testruns/; kubectl delete configmap/${NAMES.start} secret/${NAMES.keys}\`
`;
