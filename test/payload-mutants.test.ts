/**
 * The faults in large bodies, found without sockets or k6: bodies of the real sizes go straight into the service, in
 * the order of the searches, and what it answers is analysed and judged like the ledger of a probe.
 */
import { expect, test } from 'vitest';
import { applyMutants, mutantNamed } from '../reference/mutants.ts';
import { type Harness, harness } from '../reference/testing/harness.ts';
import { judge } from '../reports/verdicts/index.ts';
import { addressesFor } from '../scenarios/execute/testing/addresses.ts';
import { type Attempt, border, nextSize } from '../scenarios/k6/lib/bisection.ts';
import { bodyOf, frameOf } from '../scenarios/k6/lib/body.ts';
import { analysePayload } from '../scenarios/kinds/payload/measure.ts';
import { payloadCandidate } from '../scenarios/kinds/payload/plan.ts';
import { echoIn } from '../scenarios/kinds/payload/send/job-echo.ts';
import { encodeSize } from '../scenarios/kinds/payload/send/note.ts';
import { fateOf, payloadOutcome } from '../scenarios/kinds/payload/send/outcome.ts';
import { markOfBody } from '../scenarios/kinds/payload/send/sizes.ts';
import { contextFor, endpoint } from '../scenarios/plan/testing/targets.ts';
import type { PayloadParameters } from '../scenarios/probe.ts';
import type { BodyEncoding } from '../schemas/facts.ts';
import { decodeLedger, encodeEntry, encodeMark } from '../schemas/ledger.ts';
import { limitsOf } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';

const MINUTE_MS = 60_000;

function parametersOf(id: 'run' | 'runsync'): PayloadParameters {
  const limit = limitsOf('content-bytes').find(({ budget }) => budget === id);
  const parameters = limit && payloadCandidate(limit, contextFor([endpoint('inst-1', 3)])).probe?.parameters;
  if (parameters?.kind !== 'payload') throw new Error('no payload probe');
  return parameters;
}

async function ledgerOf(one: Harness, parameters: PayloadParameters): Promise<string> {
  const lines = [encodeMark({ mark: 'start', wallMs: 0, monotonicMs: 0 })];
  let atMs = 0;
  const add = (phase: string, operation: string, status: number, note: string) => {
    atMs += 1;
    lines.push(
      encodeEntry({ phase, operation, sentMs: atMs, firstByteMs: atMs, endMs: atMs, status, error: '', note }),
    );
  };
  const jobs: { id: string; bytes: number; encoding: BodyEncoding; word: string }[] = [];
  const send = async (phase: string, bytes: number, encoding: BodyEncoding): Promise<Attempt> => {
    const frame = frameOf(addressesFor({}), markOfBody(parameters, { bytes, encoding }));
    const rawBody = new TextDecoder().decode(bodyOf(frame, bytes));
    const length: Record<string, string> = encoding === 'chunked' ? {} : { 'content-length': String(bytes) };
    const { status, text } = await one.job(parameters.operation === 'runsync' ? 'runsync' : 'run', {
      rawBody,
      headers: length,
    });
    const seen = echoIn(text, frame.word);
    add(phase, parameters.operation, status, encodeSize({ bytes, encoding, sent: 'whole', seen }));
    // That of the first small body is looked at last: it shows that nothing was forgotten meanwhile.
    const observed = phase === 'control' || bytes === parameters.acceptBytes || jobs.length === 0;
    if (observed && seen.id !== null) jobs.push({ id: seen.id, bytes, encoding, word: frame.word });
    return { bytes, fate: fateOf(payloadOutcome({ status, error: '' })) };
  };
  let guessBytes: number | null = null;
  for (const encoding of ['content-length', 'chunked'] as const) {
    const attempts: Attempt[] = [];
    const sizes = { ...parameters, guessBytes };
    for (let bytes = nextSize(attempts, sizes); bytes !== null; bytes = nextSize(attempts, sizes)) {
      attempts.push(await send('try', bytes, encoding));
    }
    guessBytes = border(attempts).accepted;
  }
  await send('control', parameters.floorBytes, 'content-length');
  await one.clock.sleep(1000);
  for (const { id, bytes, encoding, word } of jobs.reverse()) {
    const { status, text } = await one.job('status', { jobId: id });
    add(
      'follow-up',
      'status',
      status,
      encodeSize({ bytes, encoding, sent: null, seen: { ...echoIn(text, word), id } }),
    );
  }
  return [...lines, encodeMark({ mark: 'end', wallMs: atMs, monotonicMs: atMs })].join('\n');
}

/** The documented checks of the row that fail. */
async function failing(id: 'run' | 'runsync', names: readonly string[]): Promise<string[]> {
  const parameters = parametersOf(id);
  const one = harness(applyMutants(harness().options, names));
  const facts = analysePayload(parameters, decodeLedger(await ledgerOf(one, parameters)), 1);
  const declared = loadChecks.filter((check) => check.limitId === `${id}.payload`);
  const { checks } = judge({ checkFacts: [], loadFacts: [facts], declaredLoad: declared, endpoints: [] });
  const sure = ['pass', 'fail'];
  const value = checks.filter((check) => /\.(guarantee|enforced)$/.test(check.id));
  expect(value.filter((check) => !sure.includes(check.verdict))).toEqual([]);
  return checks.filter((check) => check.verdict === 'fail').map((check) => check.id);
}

test.each(['run', 'runsync'] as const)(
  'the sound reference keeps its payload limit of %s',
  { timeout: MINUTE_MS },
  async (id) => {
    expect(await failing(id, [])).toEqual([]);
  },
);

test.each([
  ['run', 'run-payload-off'],
  ['run', 'run-payload-a-byte-low'],
  ['run', 'run-payload-a-byte-high'],
  ['run', 'run-payload-by-length-only'],
  ['run', 'run-payload-chunked-less'],
  ['run', 'run-payload-cut-short'],
  ['run', 'run-payload-lost'],
  ['runsync', 'runsync-payload-by-length-only'],
  ['runsync', 'runsync-payload-cut-short'],
] as const)('%s: %s', { timeout: MINUTE_MS }, async (id, name) => {
  expect(await failing(id, [name])).toEqual(mutantNamed(name)?.killedBy);
});
