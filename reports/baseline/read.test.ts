import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { readEntries } from './file.ts';

const whole = `version: 1
entries:
  # one counter for each node
  - check: run.rate.enforced
    target: https://jobs.staging.example
    expect: fail
    reason: counted per node
    ticket: 412
    expires: 2026-12-01
    flaky: true
    firstSeen: 2026-11-03
    lastSeen: 2026-11-21
  - { check: run.route, target: '*', expect: warn, reason: old }
`;

test('every key is read, and each entry knows its line', () => {
  expect(readEntries(whole, 'b.yaml')).toEqual([
    {
      check: 'run.rate.enforced',
      target: 'https://jobs.staging.example',
      expect: 'fail',
      reason: 'counted per node',
      ticket: 412,
      expires: '2026-12-01',
      flaky: true,
      firstSeen: '2026-11-03',
      lastSeen: '2026-11-21',
      at: 'b.yaml:4',
    },
    { check: 'run.route', target: '*', expect: 'warn', reason: 'old', at: 'b.yaml:13' },
  ]);
});

test('a list without entries is a baseline', () => {
  expect(readEntries('version: 1\nentries: []\n', 'b.yaml')).toEqual([]);
});

const one = (...lines: string[]): string => `version: 1\nentries:\n  - ${lines.join('\n    ')}\n`;
const good = ['check: run.route', 'target: reference', 'expect: fail', 'reason: old'];

test.each([
  ['nothing', '', 'b.yaml:1: ', "expected 'version: 1' and 'entries:'"],
  ['text', 'hello', 'b.yaml:1: ', "expected 'version: 1' and 'entries:'"],
  ['a list', '- check: a', 'b.yaml:1: ', "expected 'version: 1' and 'entries:'"],
  ['torn YAML', 'version: 1\nentries: [a\n', 'b.yaml:3: ', 'must be sufficiently indented'],
  ['a key given twice', `${one(...good)}version: 1\n`, 'b.yaml:7: ', 'unique'],
  ['no version', 'entries: []', 'b.yaml:1: ', 'a baseline needs version'],
  ['another version', '\nversion: 2\nentries: []', 'b.yaml:2: ', 'version takes 1'],
  ['no entries', 'version: 1', 'b.yaml:1: ', 'a baseline needs entries'],
  ['entries that are no list', 'version: 1\nentries:\n', 'b.yaml:2: ', 'entries takes a list'],
  ['an unknown key', 'version: 1\nentries: []\ntarget: a', 'b.yaml:3: ', "unknown key 'target'"],
  ['an entry that is none', 'version: 1\nentries:\n  - run.route', 'b.yaml:3: ', 'expected an entry such as'],
  ['a misspelt key', one(...good, 'expirs: 2026-12-01'), 'b.yaml:7: ', "unknown key 'expirs'; an entry takes check,"],
  ['no reason', one(...good.slice(0, 3)), 'b.yaml:3: ', 'the entry needs reason'],
  ['no target', one('check: run.route', 'expect: fail', 'reason: a'), 'b.yaml:3: ', 'the entry needs target'],
  ['a blank reason', one(...good.slice(0, 3), 'reason: " "'), 'b.yaml:6: ', 'reason must not be empty'],
  ['an empty reason', one(...good.slice(0, 3), 'reason:'), 'b.yaml:6: ', 'reason takes string'],
  ['a pattern for a check', one('check: run.*', ...good.slice(1)), 'b.yaml:3: ', 'without wildcards'],
  ['a verdict that none expects', one(...good.slice(0, 2), 'expect: pass', 'reason: a'), 'b.yaml:5: ', 'fail or warn'],
  ['a day that is none', one(...good, 'expires: 2026-02-30'), 'b.yaml:7: ', 'expires takes a date such as 2026-12-01'],
  ['a day in words', one(...good, 'expires: next week'), 'b.yaml:7: ', 'expires takes a date'],
  ['a blank ticket', one(...good, "ticket: ' '"), 'b.yaml:7: ', 'ticket must not be empty'],
  ['a ticket that is a list', one(...good, 'ticket: [a]'), 'b.yaml:7: ', 'ticket takes string or integer'],
  ['flaky without a date', one('check: run.none-lost', ...good.slice(1), 'flaky: true'), 'b.yaml:3: ', 'needs expires'],
  [
    'flaky where timing plays no part',
    one(...good, 'flaky: true', 'expires: 2026-12-01'),
    'b.yaml:3: ',
    "run.route can't be flaky",
  ],
])('%s is said with its line', (_, text, place, words) => {
  const reading = (): unknown => readEntries(text, 'b.yaml');
  expect(reading).toThrow(UsageError);
  expect(reading).toThrow(place);
  expect(reading).toThrow(words);
});

test('one check on one target twice is refused, and both places are named', () => {
  const text = `${one(...good)}  - { check: run.route, target: reference, expect: warn, reason: again }\n`;
  expect(() => readEntries(text, 'b.yaml')).toThrow('b.yaml:7: run.route on reference is listed before (b.yaml:3)');
  expect(readEntries(text.replace('reference, expect', 'https://a.example, expect'), 'b.yaml')).toHaveLength(2);
});
