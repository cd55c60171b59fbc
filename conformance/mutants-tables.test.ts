/** The tables of the documentation that are made from the code are up to date, and show no clause without a fault. */
import { expect, test } from 'vitest';
import { mutants } from '../reference/mutants.ts';
import { clauses } from '../schemas/clauses/index.ts';
import { limitsOf } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import { declaredChecks } from './index.ts';
import { conventionsPage } from './testing/alternatives.ts';
import { clausesTable } from './testing/clauses-table.ts';
import { coverageOf, coverageTable, mutantsTable } from './testing/mutant-tables.ts';
import { enumeratedFaults, operatorsTable } from './testing/operator-record.ts';

const judged = clauses.filter((one) => one.level !== 'observed' && one.observable === true);
const levels = new Map([...declaredChecks(), ...loadChecks].map((one) => [one.id, one.level]));

test('docs/mutants.md is what the mutants are', async () => {
  await expect(mutantsTable()).toMatchFileSnapshot('../docs/mutants.md');
});

test('docs/coverage.md is what clauses, checks and mutants are', async () => {
  await expect(coverageTable()).toMatchFileSnapshot('../docs/coverage.md');
});

test('docs/operators.md is what the faults by enumeration are', async () => {
  await expect(operatorsTable()).toMatchFileSnapshot('../docs/operators.md');
});

test('docs/conventions.md is what the services with other conventions are', async () => {
  await expect(conventionsPage()).toMatchFileSnapshot('../docs/conventions.md');
});

test('docs/clauses.md is what the walk through the documentation is', async () => {
  await expect(clausesTable(), 'write it again: npm run docs').toMatchFileSnapshot('../docs/clauses.md');
});

test.for(judged.map((clause) => coverageOf(clause)))(
  '$clause.id: a fault in it is noticed by a check of its own',
  ({ noticed, enumerated, checks }) => {
    expect(checks.length).toBeGreaterThan(0);
    expect(noticed.length + enumerated).toBeGreaterThan(0);
  },
);

test('every mutant that is noticed breaks only clauses of which a check complains', () => {
  const lost = mutants
    .filter((one) => one.survives === undefined)
    .flatMap(({ name, clauses: broken }) =>
      broken
        .filter((id) => judged.some((one) => one.id === id && !coverageOf(one).noticed.includes(name)))
        .map((id) => `${name} ${id}`),
    );
  expect(lost).toEqual([]);
});

test('what turns red is documented, and what warns is convention', () => {
  for (const { name, killedBy, mayBeKilledBy = [], warns = [] } of mutants) {
    for (const id of [...killedBy, ...mayBeKilledBy]) expect(levels.get(id), `${id} of ${name}`).toBe('documented');
    for (const id of warns) expect(levels.get(id), `${id} of ${name}`).toBe('convention');
  }
});

/**
 * A reset while a body is sent is made by a socket, and no rule of the reference reaches down there. A 500 among the
 * thousands of a load is shown on ledgers.
 */
const hasOtherFault = [
  ...limitsOf('content-bytes').map(({ id }) => `${id}.refusal`),
  ...limitsOf('requests').map(({ id }) => `${id}.served`),
];

test('every documented check is turned red by a fault, and every check of a convention is made to warn', () => {
  const named = new Set([
    ...mutants.flatMap(({ killedBy, mayBeKilledBy = [], warns }) => [...killedBy, ...mayBeKilledBy, ...warns]),
    ...enumeratedFaults.flatMap(({ fails, warns }) => [...fails, ...warns]),
  ]);
  const silent = [...levels].filter(([id, level]) => level !== 'observed' && !named.has(id)).map(([id]) => id);
  expect(silent.filter((id) => !hasOtherFault.includes(id))).toEqual([]);
});
