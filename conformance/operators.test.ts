/**
 * Faults by enumeration against the contract checks: what each is noticed by stands in testing/operators.json. All of
 * them take minutes, so a test run looks at one share, another one for each commit; `npm run operators` looks at all and
 * writes the file.
 */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { all as everything } from '../reference/mutants/mutant.ts';
import { defaultOptions } from '../reference/options.ts';
import { type OperatorFault, ResponsesSeen } from '../reference/testing/operators.ts';
import { RequestsSeen } from '../reference/testing/request-operators.ts';
import { ofThisCommit } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';
import { noticed } from './testing/mutants.ts';
import { type NoticedNames, operatorRecord } from './testing/operator-record.ts';
import { passedOf } from './testing/passed.ts';

const FILE = new URL('testing/operators.json', import.meta.url);
const SHARES = 40;
/**
 * Whose faults are looked at and written down: of `all`, of an operation by its id, or of what is `new` in the file.
 * Without it a share of all is looked at.
 */
const written = process.env.OPERATORS;

async function faultsBySubject(): Promise<Map<string, OperatorFault[]>> {
  const [responses, requests] = [new ResponsesSeen(), new RequestsSeen()];
  await noticed(everything(responses.listening, requests.listening));
  const bySubject = new Map<string, OperatorFault[]>();
  for (const one of [...requests.faults(), ...responses.faults()])
    bySubject.set(one.subject, [...(bySubject.get(one.subject) ?? []), one]);
  return bySubject;
}

async function noticedNames(faults: readonly OperatorFault[]): Promise<NoticedNames> {
  const names: Record<string, string[]> = {};
  for (const { name, apply } of faults) {
    const { fail, warn } = await noticed(apply);
    const checks = [...fail, ...warn].join(' ');
    names[checks] = [...(names[checks] ?? []), name];
  }
  return names;
}

function isMeant(subject: string, which: string): boolean {
  if (which === 'new') return !(subject in operatorRecord);
  return which === 'all' || subject.startsWith(`${which} `);
}

const own = <T extends readonly [string, unknown]>(some: readonly T[]): readonly T[] =>
  written ? some.filter(([subject]) => isMeant(subject, written)) : ofThisCommit(some, SHARES);
const MOST_MS = written ? 3_600_000 : 300_000;

test('each fault is noticed as testing/operators.json says', { timeout: MOST_MS }, async () => {
  const found: Record<string, NoticedNames> = {};
  const subjects = await faultsBySubject();
  expect(own([...subjects]).length).toBeGreaterThan(0);
  for (const [subject, faults] of own([...subjects])) found[subject] = await noticedNames(faults);
  if (written) {
    const entries = [...subjects.keys()].map((subject) => [subject, found[subject] ?? operatorRecord[subject] ?? {}]);
    const lines = entries.map((entry) => entry.map((one) => JSON.stringify(one)).join(': '));
    return writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((subject) => [subject, operatorRecord[subject]])));
  expect(Object.keys(operatorRecord)).toEqual([...subjects.keys()]);
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
  const subjects = own([...(await faultsBySubject())].filter(([subject]) => /^\S+ \//.test(subject)));
  if (written !== 'new') expect(subjects.length).toBeGreaterThan(0);
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
