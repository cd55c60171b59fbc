import { expect, test } from 'vitest';
import type { BaselineEntry } from '../../schemas/baseline.ts';
import { editText, readEntries } from './file.ts';
import type { Changes } from './update.ts';

const none: Changes = { added: [], seen: [], removed: [] };
const added: BaselineEntry = {
  check: 'models.list',
  target: '*',
  expect: 'fail',
  reason: 'TODO: say why this is expected',
  firstSeen: '2026-11-21',
  lastSeen: '2026-11-21',
};

const text = `# Our baseline.

version: 1 # the only one there is
entries:
  # the gateway's fault
  - check: run.route
    target: https://jobs.staging.example   # staging alone
    expect: fail
    reason: >
      Long words,
      on two lines.
    lastSeen: 2026-11-03

  # theirs
  - { check: run.job-id, target: reference, expect: warn, reason: "short: one", ticket: OPS-1 }
  # also theirs
  - check: models.list
    target: reference
    expect: fail
    reason: old
# the end
`;

test('without changes the text stays as it is, byte for byte', () => {
  expect(editText(text, none)).toBe(text);
  expect(editText('version: 1\r\nentries:   []', none)).toBe('version: 1\r\nentries:   []');
});

test('a new file says what it is, and can be read', () => {
  const written = editText(null, { ...none, added: [added] });
  expect(written).toBe(`# What proofload expects to fail, and why. Runs never write here, except with --update-baseline,
# which keeps comments and everything that people wrote. A reason that begins with TODO needs to be written.
version: 1
entries:
  - check: models.list
    target: "*"
    expect: fail
    reason: "TODO: say why this is expected"
    firstSeen: 2026-11-21
    lastSeen: 2026-11-21
`);
  expect(readEntries(written, 'b.yaml')).toEqual([{ ...added, at: 'b.yaml:5' }]);
  expect(readEntries(editText(null, none), 'b.yaml')).toEqual([]);
});

test('what changes is changed, and all that people wrote stays in its place', () => {
  const seen = [
    { index: 0, fields: { lastSeen: '2026-11-21' } },
    { index: 1, fields: { expect: 'fail' as const } },
  ];
  const written = editText(text, { added: [{ ...added, target: 'https://a.example' }], seen, removed: [] });
  for (const comment of text.match(/#.*/g) ?? []) expect(written).toContain(comment);
  expect(written).toContain('lastSeen: 2026-11-21');
  expect(written).toContain('Long words,');
  expect(readEntries(written, 'b.yaml').map(({ check, expect: word, ticket }) => [check, word, ticket])).toEqual([
    ['run.route', 'fail', undefined],
    ['run.job-id', 'fail', 'OPS-1'],
    ['models.list', 'fail', undefined],
    ['models.list', 'fail', undefined],
  ]);
  expect(editText(written, { ...none, seen: [] })).toBe(written);
});

test('a file with the line ends of Windows keeps them', () => {
  const windows = text.replaceAll('\n', '\r\n');
  const written = editText(windows, { ...none, seen: [{ index: 0, fields: { lastSeen: '2026-11-21' } }] });
  expect(written).toContain('lastSeen: 2026-11-21\r\n');
  expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(readEntries(written, 'b.yaml')).toHaveLength(3);
});

test('a removed entry goes with its own comment only', () => {
  const written = editText(text, { ...none, removed: [1] });
  expect(readEntries(written, 'b.yaml').map((one) => one.check)).toEqual(['run.route', 'models.list']);
  for (const kept of ['# Our baseline.', "# the gateway's fault", '# also theirs', '# the end']) {
    expect(written).toContain(kept);
  }
  expect(written).not.toContain('# theirs');
});

test('the comment above the first entry goes with it, and what stands apart above that stays', () => {
  const apart = text.replace("  # the gateway's fault", "  # all of staging\n\n  # the gateway's fault");
  for (const before of [text, apart]) {
    const written = editText(before, { ...none, removed: [0] });
    expect(written).not.toContain('gateway');
    expect(written).toContain('# theirs');
    expect(written.includes('# all of staging')).toBe(before === apart);
  }
});

test('several removed at once, in any order', () => {
  for (const removed of [
    [0, 2],
    [2, 0],
  ]) {
    const written = editText(text, { ...none, removed });
    expect(readEntries(written, 'b.yaml').map((one) => one.check)).toEqual(['run.job-id']);
  }
});

test('the last one removed leaves a baseline, to which one can be added again', () => {
  const empty = editText(text, { ...none, removed: [0, 1, 2] });
  expect(readEntries(empty, 'b.yaml')).toEqual([]);
  expect(empty).toContain('# Our baseline.');
  expect(readEntries(editText(empty, { ...none, added: [added] }), 'b.yaml')).toHaveLength(1);
});
