/** Verdicts, levels and units as people read them, the same in every rendering. */
import { type Limit, limits as limitTable } from '../schemas/limits.ts';
import type { ResultLimit } from '../schemas/results.ts';
import type { TargetConfig } from '../schemas/target.ts';
import type { Level, Verdict } from '../schemas/verdicts.ts';

/** Word and sign of a verdict; the sign tells them apart where colour cannot. */
export const verdictWords: Readonly<Record<Verdict, { readonly sign: string; readonly word: string }>> = {
  pass: { sign: '✓', word: 'pass' },
  fail: { sign: '✕', word: 'fail' },
  warn: { sign: '!', word: 'warning' },
  observed: { sign: '•', word: 'observed' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  'not-observable': { sign: '∅', word: 'not observable' },
  skipped: { sign: '–', word: 'skipped' },
  error: { sign: '‼', word: 'harness error' },
  known: { sign: '≈', word: 'known' },
};

export const levelWords: Readonly<Record<Level, string>> = {
  documented: 'documented',
  convention: 'convention',
  observed: 'not documented',
  goal: 'goal',
};

/** Whose verdict it is: the reference, or the addresses of the interfaces. */
export function targetName({ kind, baseUrl, jobBaseUrl }: TargetConfig): string {
  if (kind === 'reference') return 'the reference';
  return [...new Set([baseUrl, jobBaseUrl])].filter((url) => url !== null).join(' and ');
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** 1,000 */
export const number = (value: number): string => whole.format(value);

export const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** `1 check`, `3 checks` */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** A duration in ms as `850 ms`, `12.5 s`, `4 min 12 s`, `1 h 30 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${number(ms)} ms`;
  if (ms < 60_000) return `${oneDecimal.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const parts =
    hours > 0 ? [`${hours} h`, minutes > 0 ? `${minutes} min` : ''] : [`${minutes} min`, rest > 0 ? `${rest} s` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** `739 checks`, or how many of the declared ones an incomplete run has. */
export const checksWords = ({ emitted, declared }: { readonly emitted: number; readonly declared: number }): string =>
  emitted === declared ? plural(emitted, 'check') : `${number(emitted)} of ${plural(declared, 'check')}`;

/** An instant (ISO 8601) as `2026-11-21 02:57 UTC`; text that is no instant comes back as it is. */
export function instant(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const BYTES_PER_MEGABYTE = 1_000_000;

function documentedRow(limit: Limit): string {
  switch (limit.kind) {
    case 'requests':
      return `${plural(limit.value, 'request')} per ${duration(limit.windowMs)}`;
    case 'concurrent-requests':
      return `${plural(limit.value, 'request')} at once per ${limit.per === 'address' ? 'IP address' : 'endpoint'}`;
    case 'content-bytes':
      return (
        `${number(limit.value / BYTES_PER_MEGABYTE)} MB (${number(limit.value)} bytes must pass, ` +
        `${number(limit.upperReading + 1)} must not)`
      );
    case 'queue':
      return `${limit.status} only beyond ${number(limit.value)} jobs and beyond WorkersMax × ${number(limit.perWorker)}`;
    case 'retention':
      return `${duration(limit.value)} after completion`;
  }
}

/** What the documentation says about a limit, e.g. `1,000 requests per 10 s`. */
export function documentedWords(limit: Pick<ResultLimit, 'id' | 'kind' | 'documented' | 'promisedBy'>): string {
  if (limit.promisedBy)
    return `${withUnit(number(limit.documented.value), limit.documented.value, limit)} (your ${limit.promisedBy})`;
  const row = limitTable.find((one) => one.id === limit.id);
  return row ? documentedRow(row) : withUnit(number(limit.documented.value), limit.documented.value, limit);
}

function withUnit(amount: string, count: number, limit: Pick<ResultLimit, 'kind' | 'documented'>): string {
  const noun = (one: string): string => `${amount} ${count === 1 ? one : `${one}s`}`;
  switch (limit.kind) {
    case 'requests':
      return limit.documented.windowMs === undefined
        ? noun('request')
        : `${noun('request')} per ${duration(limit.documented.windowMs)}`;
    case 'concurrent-requests':
      return `${noun('request')} at once`;
    case 'content-bytes':
      return noun('byte');
    case 'queue':
      return `${noun('job')} queued`;
    case 'retention':
      return amount;
  }
}

/** What was measured: a point, an interval, or that no bound was found. */
export function measuredWords(limit: Pick<ResultLimit, 'kind' | 'documented' | 'measured'>): string {
  if (!limit.measured) return 'not measured';
  const { lower, upper } = limit.measured;
  const amount = limit.kind === 'retention' ? duration : number;
  const { windowMs } = limit.measured;
  if (windowMs !== undefined) return measuredWords(inWindow(limit, windowMs));
  if (upper === null) {
    return lower > 0 ? `no bound found: at least ${withUnit(amount(lower), lower, limit)}` : 'no bound found';
  }
  if (upper === lower) return withUnit(amount(lower), lower, limit);
  return withUnit(`${amount(lower)} to ${amount(upper)}`, upper, limit);
}

/** The same with the window that was measured. */
const inWindow = (limit: Pick<ResultLimit, 'kind' | 'documented' | 'measured'>, windowMs: number) => {
  const { lower = 0, upper = null } = limit.measured ?? {};
  return { ...limit, documented: { ...limit.documented, windowMs }, measured: { lower, upper } };
};

const kindWords: Readonly<Record<ResultLimit['kind'], string>> = {
  requests: 'rate',
  'concurrent-requests': 'concurrency',
  'content-bytes': 'payload',
  queue: 'queue',
  retention: 'retention',
};

/** `run: rate`, `status, status-sync, stream: concurrency` */
export function limitName(limit: Pick<ResultLimit, 'kind' | 'operations'>): { operations: string; kind: string } {
  return { operations: limit.operations.join(', '), kind: kindWords[limit.kind] };
}
