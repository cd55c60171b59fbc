/**
 * Faults by enumeration against the contract checks: what each is noticed by stands in docs/operators.md. All of them take
 * minutes, so a test run looks at one share, another one for each commit; `npm run operators` looks at all and writes the page.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answers } from '../reference/mutants/answers.ts';
import { type OperatorFault, ResponsesSeen } from '../reference/mutants/operators.ts';
import { noticed } from './fixtures/mutants.ts';
import { reasonOf } from './fixtures/operator-reasons.ts';

const FILE = new URL('../docs/operators.md', import.meta.url);
const SHARES = 20;
const all = process.env.OPERATORS === 'all';

const HEAD = `# Faults by enumeration

Each field of each successful JSON response of the reference, each event stream, each refusal and each operation, with each
way in which it can be wrong ([reference/mutants/operators.ts](../reference/mutants/operators.ts)), against the contract
checks: by a documented check (fails the run), by a convention (warns), by none, and why that is.

Made by \`npm run operators\`; do not edit.

| subject | fails | warns | not noticed | why |
| --- | --- | --- | --- | --- |
`;

function commit(): number {
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 6), 16);
  } catch {
    return 0;
  }
}

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

test('each fault is noticed as docs/operators.md says', { timeout: all ? 3_600_000 : 300_000 }, async () => {
  const subjects = [...(await faultsBySubject())];
  const share = commit() % SHARES;
  const rows: string[] = [];
  for (const [index, [subject, faults]] of subjects.entries()) {
    if (all || index % SHARES === share) rows.push(await rowOf(subject, faults));
  }
  if (all) return writeFileSync(FILE, `${HEAD}${rows.join('\n')}\n`);
  const known = readFileSync(FILE, 'utf8').split('\n');
  expect(rows.filter((row) => !known.includes(row))).toEqual([]);
});
