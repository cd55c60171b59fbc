/**
 * The differences as sentences, one each, and those of all checks as one list: each once, with the checks in which it
 * showed, and whether it is what broke them. A difference can be the cause of a break or be independent of it; where
 * that can't be decided, it counts as the cause.
 */
import type { OperationId } from '../../schemas/operations.ts';
import type { ResultCheck, ResultDifference } from '../../schemas/results.ts';
import { worstFirst } from '../severity.ts';
import { cut, oneLine } from '../text.ts';

/** A difference and where it showed. */
export interface PlacedDifference extends Difference {
  /** Null where the request reached no operation. */
  readonly operation: OperationId | null;
  /** `POST run`, `GET /no/such/path`; empty where it is about no single request. */
  readonly request: string;
}

type Kind = ResultDifference['kind'];

const KINDS: Readonly<Partial<Record<ResultCheck['verdict'], Kind>>> = { fail: 'spec', warn: 'convention' };

/** Whether what a check found broken speaks of the difference. */
export function isNamed({ aspect }: Difference, check: ResultCheck): boolean {
  const broken = (check.evidence?.expectations ?? []).filter((one) => !one.holds);
  const reported = broken.flatMap(({ what, expected, observed, schemaPath = '' }) => [
    what,
    expected,
    observed,
    schemaPath,
  ]);
  const words = new Set(
    [check.title, ...reported]
      .join(' ')
      .toLowerCase()
      .split(/[^\w-]+/),
  );
  return aspect.some((one) => words.has(one.toLowerCase()));
}

interface Gathered {
  readonly one: PlacedDifference;
  readonly seen: ResultCheck[];
}

/** The gravest level at which the difference can be what broke a check. */
function kindOf({ one, seen }: Gathered): Kind {
  const harmless = seen.some(({ verdict }) => verdict === 'pass' || verdict === 'observed');
  const kinds = seen.flatMap((check) => {
    const kind = KINDS[check.verdict];
    return kind !== undefined && (!harmless || isNamed(one, check)) ? [kind] : [];
  });
  return kinds.find((kind) => kind === 'spec') ?? kinds[0] ?? 'different';
}

const ORDER: readonly Kind[] = ['spec', 'convention', 'different'];

/** The list, the gravest first, then those that showed most often. */
export function gather(
  checks: readonly ResultCheck[],
  byCheck: ReadonlyMap<string, readonly PlacedDifference[]>,
): ResultDifference[] {
  const all = new Map<string, Gathered>();
  for (const check of checks) {
    for (const one of byCheck.get(check.id) ?? []) {
      const key = `${one.request} ${one.text}`;
      const gathered = all.get(key) ?? { one, seen: [] };
      gathered.seen.push(check);
      all.set(key, gathered);
    }
  }
  const list = [...all.values()].map((gathered): ResultDifference => {
    const { operation, request, text } = gathered.one;
    return { operation, request, text, kind: kindOf(gathered), checks: worstFirst(gathered.seen).map(({ id }) => id) };
  });
  return list.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.checks.length - a.checks.length);
}

export interface Difference {
  readonly text: string;
  /** Words by which a broken expectation would name it: statuses, fields, headers. */
  readonly aspect: readonly string[];
}

const LONGEST_NAME = 60;
const MOST_WORDS = 4;

/** A name or a word of a service, as code. */
export const name = (text: string): string => `\`${cut(oneLine(text), LONGEST_NAME).replaceAll('`', "'")}\``;

/** `a, b and c`, or the first few of many. */
export function listWords(words: readonly string[]): string {
  if (words.length > MOST_WORDS) {
    return `${words.slice(0, MOST_WORDS).join(', ')} and ${words.length - MOST_WORDS} more`;
  }
  const last = words.at(-1) ?? 'nothing';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** A JSON type with its article; `null` needs none. */
export function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export const statusWords = (statuses: readonly number[]): string =>
  listWords(statuses.map((one) => (one === 0 ? 'nothing (no answer came)' : `${one}`)));
