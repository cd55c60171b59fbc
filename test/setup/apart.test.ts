import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packageRoot } from '../../scripts/package.ts';
import { apartAmong, changesTheProcess, testsApart } from './apart.ts';

const root = packageRoot();
const word = (...parts: readonly string[]): string => parts.join('');

// Written in two halves, so that this file is not one of them itself.
test.each([
  ['import { expect, test, v', "i } from 'vitest';"],
  ['import {\n  expect,\n  v', "i,\n} from 'vitest';"],
  ['const before = global', 'This.fetch;'],
  ['process.ch', "dir('/tmp');"],
  ['process.en', "v.KEY = 'x';"],
  ['process.en', "v['KEY'] = 'x';"],
  ['delete process.en', 'v.KEY;'],
  ['process.o', "n('exit', () => undefined);"],
  ['Object.assign(proc', 'ess.env, { KEY: 1 });'],
])('a file with %j%j has a process of its own', (...parts) => {
  expect(changesTheProcess(`/** A test. */\n${word(...parts)}\n`)).toBe(true);
});

test.each([
  "import { expect, test } from 'vitest';\nconst vi = 'six';",
  'if (process.env.KEY === undefined) test.skip();',
  "const runs = Number(process.env.RUNS ?? '3');",
])('one with %j has not', (text) => {
  expect(changesTheProcess(text)).toBe(false);
});

test('one that imports such a helper has, also through another one, and no test on sockets counts', () => {
  const vi = word('import { v', "i } from 'vitest';");
  const texts = new Map([
    ['a/testing/clock.ts', vi],
    ['a/testing/stage.ts', "import { clock } from './clock.ts';"],
    ['a/plain.ts', "import { hold } from './b/other.ts';"],
    ['a/one.test.ts', "import { clock } from './testing/clock.ts';"],
    ['b/two.test.ts', "import { stage } from '../a/testing/stage.ts';"],
    ['b/three.test.ts', "import { plain } from '../a/plain.ts';"],
    ['b/four.e2e.test.ts', vi],
    ['b/five.test.ts', vi],
  ]);
  expect(apartAmong(texts)).toEqual(['a/one.test.ts', 'b/two.test.ts', 'b/five.test.ts']);
});

test('some have, most have not, and all of them are there', () => {
  const names = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const unit = names.filter((name) => !name.endsWith('.e2e.test.ts'));
  const apart = testsApart(root);
  expect(apart).toContain('scenarios/k6/lib/http.test.ts');
  expect(apart.length).toBeLessThan(unit.length / 5);
});
