/** The process that analysis.ts measures: makes a ledger, analyses it as a run does, and tells what that took. */

import type { Probe, RateParameters } from '../../scenarios/probe.ts';
import { analyse } from '../../scenarios/run/analyse.ts';
import { encodeEntry, encodeMark } from '../../schemas/ledger.ts';

const LINES = 1_000_000;
const PERIOD_MS = 1;
const LIMIT = 100_000;
const WINDOW_MS = 100_000;
const BURST_AT_MS = 1000;
const PACE_FROM_MS = 500_000;
const REFUSED = 429;

const none = { fromMs: 0, periodMs: WINDOW_MS, untilMs: 0 };
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
  overAtMs: BURST_AT_MS + WINDOW_MS / 2,
  overCap: LIMIT / 50,
  overRefusals: LIMIT,
  recovery: { ...none, edgesMs: [] },
  pace: { fromMs: PACE_FROM_MS, periodMs: PERIOD_MS, untilMs: PACE_FROM_MS + paced * PERIOD_MS },
  again: undefined,
};

/** The limit at once, as many beyond it, and a steady load; one in a thousand of that is refused. */
function* lines(): Generator<string> {
  yield encodeMark({ mark: 'start', wallMs: 0, monotonicMs: 0 });
  for (let index = 0; index < LINES; index += 1) {
    const phase = index < LIMIT ? 'burst' : index < 2 * LIMIT ? 'over' : 'pace';
    const beganMs = phase === 'pace' ? PACE_FROM_MS : phase === 'burst' ? BURST_AT_MS : parameters.overAtMs;
    const dueMs = beganMs + (phase === 'pace' ? (index - 2 * LIMIT) * PERIOD_MS : (index % LIMIT) / 100);
    const tookMs = 1 + ((index * 7919) % 1000) / 500;
    const refused = phase === 'over' || (phase === 'pace' && index % 1000 === 0);
    const times = { sentMs: dueMs + 0.2, firstByteMs: dueMs + tookMs, endMs: dueMs + tookMs + 0.1 };
    const operation = phase === 'pace' ? (['status', 'status-sync', 'stream'][index % 3] ?? 'status') : 'status';
    const moments = phase === 'pace' ? { dueMs, begunMs: dueMs + 0.1 } : {};
    const answer = { status: refused ? REFUSED : 200, error: '', note: refused ? '1' : '' };
    yield encodeEntry({ phase, operation, ...times, ...answer, ...moments });
  }
  yield encodeMark({ mark: 'end', wallMs: 0, monotonicMs: 0 });
}

/** Written in parts, as a file is read: a million strings at once would be more than what is measured. */
function ledger(): string {
  const parts: Buffer[] = [];
  let part: string[] = [];
  for (const line of lines()) {
    part.push(line);
    if (part.length < 10_000) continue;
    parts.push(Buffer.from(`${part.join('\n')}\n`));
    part = [];
  }
  return Buffer.concat([...parts, Buffer.from(part.join('\n'))]).toString('utf8');
}

const text = ledger();
const nothing = { checkIds: [], requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
const probe: Probe = { id: 'bench', title: '', parameters, ...nothing };
const startedAt = performance.now();
const facts = analyse(probe, text);
const seconds = (performance.now() - startedAt) / 1000;
if (facts.kind !== 'rate' || facts.burst.sent !== LIMIT) throw new Error('the analysis has lost requests');
process.send?.({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 });
process.disconnect?.();
