/** What the contract checks notice of each fault by enumeration: operators.json, which `npm run operators` writes. */
import { declaredChecks } from '../index.ts';
import { code, head, row } from './markdown.ts';
import { reasonOf } from './operator-reasons.ts';
import record from './operators.json' with { type: 'json' };

/** Names of the faults in one subject, by the checks that notice them: their ids, with a blank between. */
export type NoticedNames = Readonly<Record<string, readonly string[]>>;

export interface EnumeratedFault {
  /** `status /output` */
  readonly subject: string;
  /** `missing` */
  readonly name: string;
  /** Documented checks that fail. */
  readonly fails: readonly string[];
  /** Conventions that warn. */
  readonly warns: readonly string[];
}

/** By subject. */
export const operatorRecord: Readonly<Record<string, NoticedNames>> = record;

const documented = new Set(
  declaredChecks()
    .filter((one) => one.level === 'documented')
    .map((one) => one.id),
);

export const enumeratedFaults: readonly EnumeratedFault[] = Object.entries(operatorRecord).flatMap(
  ([subject, noticed]) =>
    Object.entries(noticed).flatMap(([checks, names]) => {
      const ids = checks.split(' ').filter(Boolean);
      const fails = ids.filter((id) => documented.has(id));
      const warns = ids.filter((id) => !documented.has(id));
      return names.map((name) => ({ subject, name, fails, warns }));
    }),
);

/** One row for each subject: what fails the run, what warns, what no check notices, and why that is. */
export function operatorsTable(): string {
  const rows = Object.keys(operatorRecord).map((subject) => {
    const own = enumeratedFaults.filter((one) => one.subject === subject);
    const names = (some: readonly EnumeratedFault[]): string => some.map((one) => one.name).join(', ');
    const none = own.filter(({ fails, warns }) => fails.length + warns.length === 0);
    return row(
      code([subject]),
      names(own.filter(({ fails }) => fails.length > 0)),
      names(own.filter(({ fails, warns }) => fails.length === 0 && warns.length > 0)),
      names(none),
      none.length > 0 ? reasonOf(subject) : '',
    );
  });
  return [
    '# Faults by enumeration',
    '',
    'Each field of each request, of each successful JSON response of the reference and of each event, each event stream,',
    'each refusal and each operation, with each way in which it can be wrong',
    '([reference/testing](../reference/testing/operators.ts)), against the contract checks: by a documented check (fails the',
    'run), by a convention (warns), by none, and why that is.',
    '',
    'Made by `npm run operators` and `npm run docs`; do not edit.',
    '',
    ...head('subject', 'fails', 'warns', 'not noticed', 'why'),
    ...rows,
    '',
  ].join('\n');
}
