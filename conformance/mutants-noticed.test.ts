/**
 * What the contract checks notice of each mutant (reference/mutants/noticed.json). `npm run noticed` writes it anew from
 * what the suite says; read the difference before you land it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import noticedBefore from '../reference/mutants/noticed.json' with { type: 'json' };
import { type Mutant, type NoticedBy, plantedThemes } from '../reference/mutants.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import { noticed } from './testing/mutants.ts';

const FILE = new URL('../reference/mutants/noticed.json', import.meta.url);
const HOURS = 3_600_000;
const planted = Object.values(plantedThemes).flat();
const ofLoad: ReadonlySet<string> = new Set(loadChecks.map((one) => one.id));

/** null where nothing notices it. */
async function recordOf({ apply }: Mutant): Promise<NoticedBy | null> {
  const { fail, warn } = await noticed(apply);
  if (fail.length + warn.length === 0) return null;
  return { ...(fail.length > 0 ? { killedBy: fail } : {}), ...(warn.length > 0 ? { warns: warn } : {}) };
}

/** All, or the part that `WRITE_NOTICED=2/3` names, so that several processes can share the work. */
function part(which: string): readonly Mutant[] {
  const [, number = '1', parts = '1'] = /^(\d+)\/(\d+)$/.exec(which) ?? [];
  return planted.filter((_, index) => index % Number(parts) === Number(number) - 1);
}

const requested = process.env.WRITE_NOTICED;
if (requested) {
  test('written again', { timeout: HOURS }, async () => {
    const found = new Map<string, NoticedBy | null>();
    for (const mutant of part(requested))
      found.set(mutant.name, mutant.survives === undefined ? await recordOf(mutant) : null);
    const before: Readonly<Record<string, NoticedBy>> = JSON.parse(readFileSync(FILE, 'utf8'));
    const after = planted.flatMap(({ name }) => {
      const entry = found.has(name) ? found.get(name) : before[name];
      return entry ? [[name, entry]] : [];
    });
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(after), null, 1)}\n`);
  });
}

test('every entry belongs to a mutant', () => {
  const names = new Set(planted.map((one) => one.name));
  expect(Object.keys(noticedBefore).filter((name) => !names.has(name))).toEqual([]);
});

test('what only load shows is named by the mutant, and nothing else', () => {
  const named = planted.flatMap(({ killedBy = [], mayBeKilledBy = [], warns = [] }) => [
    ...killedBy,
    ...mayBeKilledBy,
    ...warns,
  ]);
  expect(named.filter((id) => !ofLoad.has(id))).toEqual([]);
});
