/**
 * Faults by enumeration against the contract checks: what each is noticed by stands in docs/operators.md. All of them take
 * minutes, so a test run looks at one share, another one for each commit; `npm run operators` looks at all and writes the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answers } from '../reference/mutants/answers.ts';
import { defaultOptions } from '../reference/options.ts';
import { type OperatorFault, ResponsesSeen } from '../reference/testing/operators.ts';
import { ofThisCommit } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';
import { noticed } from './testing/mutants.ts';
import { reasonOf } from './testing/operator-reasons.ts';
import { passedOf } from './testing/passed.ts';

const FILE = new URL('../docs/operators.md', import.meta.url);
const SHARES = 40;
const all = process.env.OPERATORS === 'all';

const HEAD = `# Faults by enumeration

Each field of each successful JSON response of the reference, each event stream, each refusal and each operation, with each
way in which it can be wrong ([reference/testing/operators.ts](../reference/testing/operators.ts)), against the contract
checks: by a documented check (fails the run), by a convention (warns), by none, and why that is.

Made by \`npm run operators\`; do not edit.

| subject | fails | warns | not noticed | why |
| --- | --- | --- | --- | --- |
`;

async function faultsBySubject(): Promise<Map<string, OperatorFault[]>> {
  const seen = new ResponsesSeen();
  const listening = answers((reply, { id }) => {
    seen.add(id, reply);
    return reply;
  });
  await noticed(listening);
  const bySubject = new Map<string, OperatorFault[]>();
  for (const one of seen.faults()) bySubject.set(one.subject, [...(bySubject.get(one.subject) ?? []), one]);
  return bySubject;
}

async function rowOf(subject: string, faults: readonly OperatorFault[]): Promise<string> {
  const by = { fails: [] as string[], warns: [] as string[], none: [] as string[] };
  for (const { name, apply } of faults) {
    const { fail, warn } = await noticed(apply);
    by[fail.length > 0 ? 'fails' : warn.length > 0 ? 'warns' : 'none'].push(name);
  }
  return `| \`${subject}\` | ${by.fails.join(', ')} | ${by.warns.join(', ')} | ${by.none.join(', ')} | ${by.none.length > 0 ? reasonOf(subject) : ''} |`;
}

const own = <T>(some: readonly T[]): readonly T[] => (all ? some : ofThisCommit(some, SHARES));
const MOST_MS = all ? 3_600_000 : 300_000;

test('each fault is noticed as docs/operators.md says', { timeout: MOST_MS }, async () => {
  const rows: string[] = [];
  for (const [subject, faults] of own([...(await faultsBySubject())])) rows.push(await rowOf(subject, faults));
  if (all) return writeFileSync(FILE, `${HEAD}${rows.join('\n')}\n`);
  const known = readFileSync(FILE, 'utf8').split('\n');
  expect(rows.filter((row) => !known.includes(row))).toEqual([]);
});

/** Ways in which a field can be wrong that show which checks read it. */
const WRONG = ['missing', 'null', 'empty', 'of another type'];
const ABSENT = ['missing', 'null'];

/** They compare what is there, take the schema's optional fields as such, or read the field only where it says more. */
const OPTIONAL = [
  /\.(envelope(\.busy)?|answers\.fields)$/,
  /\.same(\.failed|\.times)?$/,
  /^(health\.whole-counts|completions\.content\.prompts|runsync\.times|purge-queue\.empty)$/,
  // With an output that is null.
  /^status\.times$/,
];

async function passing(operation: string, apply: OperatorFault['apply']): Promise<Set<string>> {
  const checks = allChecks.filter((one) => one.level !== 'observed' && one.id.startsWith(`${operation}.`));
  const target = openReference({ options: apply(defaultOptions({})) });
  const facts = await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
  await target.close();
  return new Set(passedOf(facts).map((one) => one.id));
}

test('no check that reads a field passes without it', { timeout: MOST_MS }, async () => {
  const subjects = own([...(await faultsBySubject())].filter(([subject]) => subject.includes(' /')));
  expect(subjects.length).toBeGreaterThan(0);
  const vacuous: string[] = [];
  for (const [subject, faults] of subjects) {
    const [operation = ''] = subject.split(' ');
    const found: { readonly name: string; readonly passed: ReadonlySet<string> }[] = [];
    for (const { name, apply } of faults.filter((one) => WRONG.includes(one.name)))
      found.push({ name, passed: await passing(operation, apply) });
    const absent = new Set(found.filter(({ name }) => ABSENT.includes(name)).flatMap(({ passed }) => [...passed]));
    const isRead = (id: string): boolean => found.some(({ passed }) => !passed.has(id));
    const wrong = [...absent].filter((id) => isRead(id) && !OPTIONAL.some((one) => one.test(id)));
    vacuous.push(...wrong.map((id) => `${id} without ${subject}`));
  }
  expect(vacuous).toEqual([]);
});
