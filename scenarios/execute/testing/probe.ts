/** What the end-to-end tests of the senders share: a probe, an environment, and ways to read a ledger. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeLedger, type Ledger } from '../../../schemas/ledger.ts';
import { silent } from '../../../schemas/progress.ts';
import type { Workloads } from '../../../schemas/workloads.ts';
import { provisionK6 } from '../../../scripts/k6/provision.ts';
import type { Probe, ProbeParameters } from '../../probe.ts';
import type { ProbeEnvironment } from '../environment.ts';
import { executeProbe } from '../index.ts';
import { bundleScripts } from './bundle.ts';

export const JOB_KEY = 'job-key-that-must-not-leak';
export const ACCESS_KEY = 'access-key-that-must-not-leak';

export interface Bench {
  /** Sends the probe to the server and reads its ledger. */
  send(parameters: ProbeParameters, choices: SendChoices): Promise<Ledger>;
  /** The text of the last ledger. */
  lastText(): string;
  /** Everything written below the run's directory, unpacked. */
  written(): Promise<string>;
  readonly reported: number[];
  close(): Promise<void>;
}

export interface SendChoices {
  readonly url: string;
  /** null: the target has no interface A. Default: it is at `url`. */
  readonly baseUrl?: string | null;
  readonly id?: string;
  readonly workersMax?: number;
  readonly estimateMs?: number;
  readonly signal?: AbortSignal;
  readonly workloads?: Workloads;
  /** Processes that send it together. */
  readonly runners?: number;
  /** Addresses of this machine that they send from. */
  readonly sources?: readonly string[];
  /** Something that stands in for k6: the text of a shell script, in which `$K6` is k6. */
  readonly insteadOfK6?: string;
  /** Jobs that requests may be about. */
  readonly doneJobs?: readonly string[];
}

/** A bench for one test file: k6, the bundled scripts and a directory, all made once. */
export async function makeBench(): Promise<Bench> {
  const signal = new AbortController().signal;
  const k6 = await provisionK6({ progress: silent, signal, env: process.env });
  const scripts = await bundleScripts();
  const dir = await mkdtemp(join(tmpdir(), 'proofload-test-'));
  const reported: number[] = [];
  let text = '';
  return {
    reported,
    lastText: () => text,
    async send(parameters, choices) {
      const k6Bin = choices.insteadOfK6 ? join(dir, `k6-${reported.length}-${Math.random()}.sh`) : k6.path;
      if (choices.insteadOfK6)
        await writeFile(k6Bin, `#!/bin/sh\nK6='${k6.path}'\n${choices.insteadOfK6}\n`, { mode: 0o755 });
      const env = environment(choices, { k6Bin, dir, progress: (done) => reported.push(done), signal });
      text = await executeProbe(probeOf(parameters, choices), env, scripts.folder);
      return decodeLedger(text);
    },
    async written() {
      const files = await readdir(dir, { recursive: true, withFileTypes: true });
      const texts = files.filter((one) => one.isFile()).map((one) => contentsOf(join(one.parentPath, one.name)));
      return (await Promise.all(texts)).join('\n');
    },
    async close() {
      await scripts.remove();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function contentsOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

function environment(
  { url, baseUrl = url, workersMax = 1, signal, workloads, doneJobs = [], runners = 1, sources = [] }: SendChoices,
  rest: Pick<ProbeEnvironment, 'k6Bin' | 'dir' | 'progress' | 'signal'>,
): ProbeEnvironment {
  const endpoints = [{ instId: 'inst-1', workersMax, dedicated: true }];
  return {
    ...rest,
    runners,
    sources,
    runId: 'run-1',
    doneJobs: { 'inst-1': doneJobs },
    target: {
      kind: 'remote',
      baseUrl,
      jobBaseUrl: url,
      endpoints,
      model: 'acme/base-70b',
      ...(workloads ? { workloads } : {}),
    },
    credentials: { accessKey: ACCESS_KEY, jobKey: JOB_KEY, brokeKey: 'another-key-that-must-not-leak', otherKey: null },
    signal: signal ?? rest.signal,
  };
}

function probeOf(parameters: ProbeParameters, { id = 'probe', estimateMs = 10_000 }: SendChoices): Probe {
  const nothing = { title: '', checkIds: [], requests: 0, bytes: 0, floorMs: 0, exclusive: [] };
  return { id, parameters, estimateMs, ...nothing };
}

/** `phase status` -> number of entries, e.g. `{ 'burst 200': 1000 }`. */
export function tally(ledger: Ledger): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { phase, status } of ledger.entries) {
    const name = `${phase} ${status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export const marksOf = (ledger: Ledger): string[] => ledger.marks.map(({ mark }) => mark);
