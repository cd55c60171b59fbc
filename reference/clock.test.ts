import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { realClock, virtualClock } from './clock.ts';

test('the real clock never wakes a sleeper early', async () => {
  for (const ms of [0.4, 1, 3.7]) {
    const start = realClock.now();
    await realClock.sleep(ms);
    expect(realClock.now() - start).toBeGreaterThanOrEqual(ms);
  }
});

test('a sleep so short that it is over before its timer is set ends like any other', async () => {
  const { signal } = new AbortController();
  for (let count = 0; count < 1000; count += 1) await realClock.sleep(Number.MIN_VALUE, signal);
});

test('the real clock has milliseconds since the epoch and does not go backwards', () => {
  const before = realClock.now();
  expect(before).toBeGreaterThan(Date.UTC(2020, 0, 1));
  expect(realClock.now()).toBeGreaterThanOrEqual(before);
});

test.for([
  ['real', realClock],
  ['virtual', virtualClock()],
] as const)('a sleep on the %s clock ends when its signal aborts', async ([, clock]) => {
  const stop = new AbortController();
  const sleep = clock.sleep(3_600_000, stop.signal);
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  await expect(clock.sleep(1, stop.signal)).rejects.toBe(reason);
  await expect(clock.sleep(0, stop.signal)).rejects.toBe(reason);
});

test.for([
  ['real', realClock],
  ['virtual', virtualClock()],
] as const)('no time at all is slept at once on the %s clock', async ([, clock]) => {
  await clock.sleep(0);
  await clock.sleep(-5);
  await clock.sleep(Number.NaN);
});

test('the virtual clock jumps over half an hour', async () => {
  const clock = virtualClock({ startMs: 1000 });
  const began = performance.now();
  await clock.sleep(30 * 60_000);
  expect(clock.now()).toBe(1000 + 30 * 60_000);
  expect(performance.now() - began).toBeLessThan(1000);
  expect(clock.sleeping).toBe(0);
});

test('the virtual clock stands still while promises and event loop turns follow each other', async () => {
  const clock = virtualClock({ startMs: 0 });
  let woke = false;
  const sleeper = clock.sleep(10).then(() => {
    woke = true;
  });
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    expect(clock.now()).toBe(0);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(woke).toBe(false);
  await sleeper;
  expect(clock.now()).toBe(10);
});

test('sleepers wake in the order of their times, those of one moment in the order they went to sleep', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 20 }), async (times) => {
      const clock = virtualClock({ startMs: 0, quietTurns: 2 });
      const woken: { at: number; index: number }[] = [];
      await Promise.all(
        times.map(async (ms, index) => {
          await clock.sleep(ms);
          woken.push({ at: ms, index });
          expect(clock.now()).toBe(ms);
        }),
      );
      const expected = times.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at || a.index - b.index);
      expect(woken).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('a sleeper that is given up does not hold the clock', async () => {
  const clock = virtualClock({ startMs: 0 });
  const stop = new AbortController();
  const given = clock.sleep(5, stop.signal).catch(() => 'given up');
  const kept = clock.sleep(50);
  stop.abort();
  expect(await given).toBe('given up');
  expect(clock.sleeping).toBe(1);
  await kept;
  expect(clock.now()).toBe(50);
});

test('a clock whose last sleeper gives up, in any turn of the event loop, stands still', async () => {
  const quietTurns = 4;
  for (let turns = 0; turns < 3 * quietTurns; turns += 1) {
    const clock = virtualClock({ startMs: 7, quietTurns });
    const stop = new AbortController();
    const began = clock.now();
    const given = clock.sleep(5, stop.signal).catch(() => 'given up');
    // A step ahead of the clock's own turns, so that the sleeper leaves right before one of them.
    for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    stop.abort();
    const woke = (await given) === undefined;
    for (let turn = 0; turn < 3 * quietTurns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    expect(clock.now()).toBe(woke ? began + 5 : began);
  }
});

test('ten thousand sleepers, half of whom give up, wake in their order', async () => {
  const clock = virtualClock({ startMs: 0, quietTurns: 1 });
  const leavers: AbortController[] = [];
  const woken: number[] = [];
  const all = Array.from({ length: 10_000 }, async (_, index) => {
    // A permutation of the times, so that nobody goes to sleep in the order of waking.
    const at = 1 + ((index * 7919) % 10_000);
    const client = new AbortController();
    if (index % 2 === 0) leavers.push(client);
    await clock.sleep(at, client.signal).then(
      () => woken.push(at),
      () => undefined,
    );
  });
  for (const client of leavers) client.abort();
  await Promise.all(all);
  expect(woken).toHaveLength(5000);
  expect(woken).toEqual(woken.toSorted((a, b) => a - b));
  expect(clock.sleeping).toBe(0);
});

/** Every way to wait or to tell the time that Node has; `new Date(value)` formats a given time and is none. */
const forbidden = [
  /\bset(Timeout|Interval|Immediate)\b/,
  /\bDate\s*\.\s*now\b/,
  /\bDate\s*\(\s*\)/,
  /\bnew Date\b(?!\s*\()/,
  /\bperformance\b/,
  /\bhrtime\b/,
  /\buptime\b/,
  /\bAtomics\s*\.\s*wait/,
  /\bAbortSignal\s*\.\s*timeout\b/,
  /['"](node:)?(timers|perf_hooks)(\/promises)?['"]/,
];

const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
const touchesTime = (source: string): boolean => forbidden.some((one) => one.test(withoutComments(source)));

test.for([
  'setTimeout(f, 1)',
  'globalThis.setInterval(f)',
  'socket.setTimeout(1)',
  'const { setImmediate: later } = globalThis;',
  'Date.now()',
  'new Date()',
  'new Date( )',
  'new Date;',
  'Date()',
  'performance.now()',
  'process.hrtime.bigint()',
  'process.uptime()',
  'AbortSignal.timeout(5)',
  'Atomics.wait(view, 0, 0, 5)',
  "import { setTimeout as wait } from 'node:timers/promises';",
  "await import('timers')",
  'import { x } from "node:perf_hooks"',
  "const url = 'http://x'; Date.now()",
])('the search for strays finds: %s', (source) => {
  expect(touchesTime(source)).toBe(true);
});

test.for(['new Date(job.createdAt)', '// Date.now is not used here', '/* no setTimeout */ x', 'clock.now()'])(
  'the search for strays leaves alone: %s',
  (source) => {
    expect(touchesTime(source)).toBe(false);
  },
);

/** Tests, and what those of one folder share: they may have to watch a real socket. The common harness may not. */
const isTest = (name: string): boolean => name.endsWith('.test.ts') || /.\/testing\//.test(name);

test('no other file of the reference touches timers or clocks, its tests excepted', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.[cm]?[jt]s$/.test(name) && !isTest(name) && name !== 'clock.ts',
  );
  expect(files).toContain('testing/harness.ts');
  expect(files).toContain('server.ts');
  const strays = files.filter((name) => touchesTime(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')));
  expect(strays).toEqual([]);
});
