/**
 * The written half of what each mutant turns red (reference/mutants/echoes.json). `npm run echoes` writes it anew from
 * what the suite notices; whoever lands it reads the difference, since a check that complains of a fault it has nothing
 * to do with is a check that is wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import echoes from '../reference/mutants/echoes.json' with { type: 'json' };
import { type Echo, type Mutant, plantedThemes } from '../reference/mutants.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import { noticed } from './testing/mutants.ts';

const FILE = new URL('../reference/mutants/echoes.json', import.meta.url);
const HOURS = 3_600_000;
const planted = Object.values(plantedThemes).flat();
const ofLoad: ReadonlySet<string> = new Set(loadChecks.map((one) => one.id));

/** Checks that are there for a mutant and say nothing: whoever writes the echoes has to look why. */
const silent: string[] = [];

/** What a mutant turns red besides the checks that are there for it; null where nothing does. */
async function echo({ name, apply, turnsRed = [], warns = [] }: Mutant): Promise<Echo | null> {
  const seen = await noticed(apply);
  const named = [...turnsRed, ...warns].filter((id) => !ofLoad.has(id));
  const heard = new Set([...seen.fail, ...seen.warn]);
  silent.push(...named.filter((id) => !heard.has(id)).map((id) => `${name}: ${id}`));
  const more = (ids: readonly string[], own: readonly string[]): readonly string[] =>
    ids.filter((id) => !own.includes(id) && !ofLoad.has(id));
  const [red, warned] = [more(seen.fail, turnsRed), more(seen.warn, warns)];
  if (red.length + warned.length === 0) return null;
  return { ...(red.length > 0 ? { turnsRed: red } : {}), ...(warned.length > 0 ? { warns: warned } : {}) };
}

/** All, or the part that `WRITE_ECHOES=2/3` names, so that several processes can share the work. */
function part(which: string): readonly Mutant[] {
  const [, number = '1', parts = '1'] = /^(\d+)\/(\d+)$/.exec(which) ?? [];
  return planted.filter((_, index) => index % Number(parts) === Number(number) - 1);
}

const asked = process.env.WRITE_ECHOES;
if (asked) {
  test('written anew', { timeout: HOURS }, async () => {
    const found = new Map<string, Echo | null>();
    for (const mutant of part(asked)) found.set(mutant.name, mutant.unseen === undefined ? await echo(mutant) : null);
    const before: Readonly<Record<string, Echo>> = JSON.parse(readFileSync(FILE, 'utf8'));
    const after = planted.flatMap(({ name }) => {
      const entry = found.has(name) ? found.get(name) : before[name];
      return entry ? [[name, entry]] : [];
    });
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(after), null, 1)}\n`);
    expect(silent).toEqual([]);
  });
}

test('every entry belongs to a mutant', () => {
  const names = new Set(planted.map((one) => one.name));
  expect(Object.keys(echoes).filter((name) => !names.has(name))).toEqual([]);
});
