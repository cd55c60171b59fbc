/** Several k6 processes that send one probe together: what one would send, and by name what one of them made of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ledger } from '../../schemas/ledger.ts';
import type { RateParameters } from '../probe.ts';
import { analyse } from '../run/analyse.ts';
import { type Bench, makeBench, tally } from './testing/probe.ts';
import { startServer } from './testing/server.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());

/** Of a shorter one, half is no more than a busy machine takes to send a burst. */
const WINDOW_MS = 2000;
/** Nine of them take seconds to begin on a busy machine. */
const BURST_AT_MS = 6000;
const PACE_AT_MS = BURST_AT_MS + 3 * WINDOW_MS;
const parameters: RateParameters = {
  kind: 'rate',
  limitId: 'run.rate',
  instId: 'inst-1',
  operation: 'run',
  siblings: [],
  absent: [],
  limit: 100,
  windowMs: WINDOW_MS,
  vus: 7,
  beyondVus: 7,
  burstAtMs: BURST_AT_MS,
  secondBurstAtMs: BURST_AT_MS + WINDOW_MS + 400,
  paces: [{ fromMs: PACE_AT_MS, periodMs: 40, untilMs: PACE_AT_MS + 0.9 * WINDOW_MS }],
  overflowAtMs: PACE_AT_MS + WINDOW_MS,
  overflowCap: 30,
  overflowRefusals: 2,
  polls: {
    spans: [{ fromMs: PACE_AT_MS + 1.1 * WINDOW_MS, periodMs: 200, untilMs: PACE_AT_MS + 2 * WINDOW_MS }],
    edgesMs: [],
  },
  refillsAtMs: [PACE_AT_MS + 2.5 * WINDOW_MS],
  refillCap: 30,
  untilMs: PACE_AT_MS + 3 * WINDOW_MS,
};

async function send(runners: number, insteadOfK6?: string): Promise<Ledger> {
  const server = await startServer({ rate: { run: { value: 100, windowMs: WINDOW_MS } } });
  try {
    return await bench.send(parameters, { url: server.url, runners, ...(insteadOfK6 ? { insteadOfK6 } : {}) });
  } finally {
    await server.close();
  }
}

const healthOf = (ledger: Ledger) => {
  const probe = { id: 'p', title: '', checkIds: [], requests: 0, bytes: 0, floorMs: 0, exclusive: [], estimateMs: 1 };
  const facts = analyse({ ...probe, parameters }, ledger);
  if (facts.kind !== 'rate') throw new Error('no facts of a rate');
  return facts;
};

/** Of the second one, which runs `what`; the others run k6. */
const secondOnly = (what: string): string =>
  `case "$*" in *"--execution-segment 1/2:1 "*) ${what}\n;; *) exec "$K6" "$@";; esac`;

/** The file after `--console-output` becomes half of itself. */
const TEAR = `for word in "$@"; do [ "$before" = --console-output ] && file=$word; before=$word; done
head -c $(($(wc -c < "$file") / 2)) "$file" > "$file.half" && mv "$file.half" "$file"`;

test.each([2, 3, 9])('%i of them send what one would, at the same moments', async (runners) => {
  const ledger = await send(runners);
  const { health, within, survivors } = healthOf(ledger);
  expect(tally(ledger)).toMatchObject({ 'burst 200': 100, 'second-burst 200': 100 });
  expect(within.refused).toBe(0);
  expect(health).toMatchObject({ complete: true, unreadable: 0 });
  expect(health.runners).toMatchObject({ count: runners, faults: [] });
  expect(health.runners?.errorMs).toBeLessThan(5);
  expect(survivors.some(({ value }) => value.lower <= 100 && value.upper >= 100)).toBe(true);
  const burst = ledger.entries.filter(({ phase }) => phase === 'burst');
  expect(Math.min(...burst.map(({ sentMs }) => sentMs))).toBeGreaterThan(BURST_AT_MS - 20);
  expect(Math.max(...burst.map(({ sentMs }) => sentMs))).toBeLessThan(BURST_AT_MS + WINDOW_MS / 2);
});

test.concurrent.each([
  ['is killed', '"$K6" "$@" &\npid=$!\nsleep 7\nkill -9 $pid\nwait $pid', 'the ledger of runner 2 of 2 has no end'],
  ['comes three seconds too late', 'sleep 8.3\nexec "$K6" "$@"', /^runner 2 of 2 came [34]\.\d s too late$/],
  ['left half of its ledger', `"$K6" "$@"\n${TEAR}`, 'the ledger of runner 2 of 2 has no end'],
  ['never starts', 'exit 1', 'runner 2 of 2 left no ledger'],
])('one that %s is named', async (_, what, fault) => {
  const { health } = healthOf(await send(2, secondOnly(what)));
  expect(health.runners?.faults).toEqual([typeof fault === 'string' ? fault : expect.stringMatching(fault)]);
});
