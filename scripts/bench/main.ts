/**
 * `npm run bench`: how long the analysis of a ledger of a million lines takes, and how much memory, in a process of its
 * own: from its text to the facts of a rate probe with all that belongs to them.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RateParameters } from '../../scenarios/probe.ts';
import { encodeEntry, encodeMark, encodeShort, headOf } from '../../schemas/ledger.ts';
import { analysed, type Cost } from './analysis.ts';

// A ledger of a million lines, as a rate probe would write it, and the parameters of that probe.

const LINES = 1_000_000;
const PERIOD_MS = 1;
const LIMIT = 100_000;
const WINDOW_MS = 100_000;
const BURST_AT_MS = 1000;
const PACE_FROM_MS = 500_000;
const OK = 200;
const REFUSED = 429;

const paced = LINES - 2 * LIMIT;
const parameters: RateParameters = {
  kind: 'rate',
  limitId: 'status.rate',
  instId: 'inst-1',
  operation: 'status',
  siblings: ['status-sync', 'stream'],
  limit: LIMIT,
  windowMs: WINDOW_MS,
  vus: 50,
  burstAtMs: BURST_AT_MS,
  overflowAtMs: BURST_AT_MS + WINDOW_MS / 2,
  overflowCap: LIMIT / 50,
  overflowRefusals: LIMIT,
  paces: [{ fromMs: PACE_FROM_MS, periodMs: PERIOD_MS, untilMs: PACE_FROM_MS + paced * PERIOD_MS }],
  refillsAtMs: [],
  refillCap: 0,
  polls: { spans: [], edgesMs: [] },
  untilMs: PACE_FROM_MS + paced * PERIOD_MS,
};

/** The limit at once, as many beyond it, and a steady load; one in a thousand of that is refused. */
function* lines(): Generator<string> {
  yield encodeMark({ mark: 'start', wallMs: 0, monotonicMs: 0 });
  for (let index = 0; index < LINES; index += 1) {
    const phase = index < LIMIT ? 'burst' : index < 2 * LIMIT ? 'overflow' : 'pace';
    const beganMs = phase === 'pace' ? PACE_FROM_MS : phase === 'burst' ? BURST_AT_MS : parameters.overflowAtMs;
    const dueMs = beganMs + (phase === 'pace' ? (index - 2 * LIMIT) * PERIOD_MS : (index % LIMIT) / 100);
    const tookMs = 1 + ((index * 7919) % 1000) / 500;
    const operation = phase === 'pace' ? (['status', 'status-sync', 'stream'][index % 3] ?? 'status') : 'status';
    const [begunMs, endMs] = [dueMs + 0.1, dueMs + tookMs + 0.1];
    if (phase === 'overflow' || (phase === 'pace' && index % 1000 === 0)) {
      const times = { sentMs: dueMs + 0.2, firstByteMs: dueMs + tookMs, endMs };
      const moments = phase === 'pace' ? { dueMs, begunMs } : {};
      yield encodeEntry({ phase, operation, ...times, status: REFUSED, error: '', note: '1', ...moments });
    } else
      yield encodeShort(headOf(phase, operation), begunMs, 0.1, 0.1, endMs, OK, phase === 'pace' ? dueMs : undefined);
  }
  yield encodeMark({ mark: 'end', wallMs: 0, monotonicMs: 0 });
}

const LINES_AT_ONCE = 10_000;

function writeLedger(file: string): void {
  const handle = openSync(file, 'w');
  let part: string[] = [];
  const flush = (): void => {
    writeSync(handle, part.map((line) => `${line}\n`).join(''));
    part = [];
  };
  for (const line of lines()) if (part.push(line) === LINES_AT_ONCE) flush();
  flush();
  closeSync(handle);
}

const dir = await mkdtemp(join(tmpdir(), 'proofload-bench-'));
try {
  const file = join(dir, 'ledger');
  writeLedger(file);
  const { merged, analysed: all, burst } = await analysed(dir, parameters, [file]);
  if (burst !== LIMIT) throw new Error('the analysis has lost requests');
  const said = ({ seconds, megabytes }: Cost): string => `${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB`;
  console.log(`1,000,000 ledger lines: read after ${said(merged)}; analysed after ${said(all)}`);
} finally {
  await rm(dir, { recursive: true, force: true });
}
