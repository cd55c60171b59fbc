/** Verdicts, levels and units as people read them, the same in every rendering. */
import type { TargetConfig } from '../schemas/target.ts';
import { number, plural } from '../schemas/thousands.ts';
import type { Level, Verdict } from '../schemas/verdicts.ts';

/** Word and sign of a verdict; the sign distinguishes them without colour. */
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

/** On what a check rests. */
export function basisOf({ clauses, level }: { readonly clauses: readonly string[]; readonly level: Level }): string {
  if (clauses.length > 0) return `clause ${clauses.join(', ')}`;
  return level === 'goal' ? 'your goal' : 'your configuration';
}

/** Whose verdict it is: the reference, or the addresses of the interfaces. */
export function targetName({ kind, baseUrl, jobBaseUrl }: TargetConfig): string {
  if (kind === 'reference') return 'the reference';
  return [...new Set([baseUrl, jobBaseUrl])].filter((url) => url !== null).join(' and ');
}

export const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** `739 checks`, or how many of the declared ones an incomplete run has. */
export const checksWords = ({ emitted, declared }: { readonly emitted: number; readonly declared: number }): string =>
  emitted === declared ? plural(emitted, 'check') : `${number(emitted)} of ${plural(declared, 'check')}`;

/** An instant (ISO 8601) as `2026-11-21 02:57 UTC`; text that is no instant is returned unchanged. */
export function instant(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 request`, `3 requests` */
export const nouns = (amount: string, count: number, one: string): string =>
  `${amount} ${one}${count === 1 ? '' : 's'}`;
