/**
 * One request to each interface through k6, before anything else is sent: k6 has its own resolver, proxies and certificates,
 * so what Node reaches it may not, and all of the load would go unanswered.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeProbe, type Probe } from '../../scenarios/index.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { type Credentials, type TargetConfig, UsageError } from '../../schemas/target.ts';

interface TrialInput {
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  readonly runId: string;
  readonly k6Bin: string;
  readonly signal: AbortSignal;
}

/** Throws UsageError where k6 gets no response at all; any response will do, since Node's were checked. */
export async function checkThroughK6(input: TrialInput): Promise<void> {
  const { baseUrl, jobBaseUrl, endpoints } = input.target;
  const [endpoint] = endpoints;
  const dir = await mkdtemp(join(tmpdir(), 'proofload-k6-'));
  try {
    if (baseUrl !== null) await load('models', '', baseUrl, dir, input);
    if (jobBaseUrl !== null && endpoint && jobBaseUrl !== baseUrl) {
      await load('health', endpoint.instId, jobBaseUrl, dir, input);
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function load(operation: DocumentedOperationId, instId: string, url: string, dir: string, input: TrialInput) {
  const once = { vus: 1, periodMs: 1, durationMs: 1, windowMs: 1 };
  const probe: Probe = {
    id: `wiring.${operation}`,
    title: 'one request through k6',
    checkIds: [],
    parameters: { kind: 'unlimited', instId, operation, ...once },
    requests: 1,
    bytes: 0,
    estimateMs: 1000,
    floorMs: 0,
    exclusive: [],
  };
  const text = await executeProbe(probe, { ...input, dir, progress: () => {} });
  input.signal.throwIfAborted();
  const { rows } = decodeLedger(text);
  const errors = rows.map(({ status, error }) => (status === 0 ? error || 'no answer' : ''));
  if (errors.length === 0) throw new UsageError(`k6 sent nothing to ${url}, though it was started; see --help`);
  const [why = ''] = errors;
  if (why === '') return;
  const remedy = /x509|certificate/i.test(why)
    ? 'set NODE_EXTRA_CA_CERTS to the file of the certificate authority'
    : 'check the proxy and name resolution that k6 uses';
  throw new UsageError(`k6 gets no answer from ${url}, where Node does: ${why}; ${remedy}`);
}
