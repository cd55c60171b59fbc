import { expect, test } from 'vitest';
import type { LedgerRow } from '../../schemas/ledger-rows.ts';
import { noteOf } from '../limit-fields.ts';
import { classifier, formOf } from './outcome.ts';

const row = (status: number, more: Partial<LedgerRow> = {}) =>
  ({
    phase: '',
    operation: 'run',
    sentMs: 0,
    firstByteMs: 1,
    endMs: 1,
    status,
    error: '',
    note: '',
    ...more,
  }) as LedgerRow;
const many = (count: number, one: LedgerRow) =>
  Array.from({ length: count }, (_, index) => ({ ...one, sentMs: index }) as LedgerRow);

const cut = row(0, { error: '1000 EOF' });
const silent = row(0, { error: 'timeout' });
const throttled = row(200, { note: noteOf({}, 'rate limited') });

test.each<[string, readonly LedgerRow[], readonly LedgerRow[], LedgerRow, string]>([
  ['a status that did not come before', many(20, row(200)), many(5, row(418)), row(418), 'refused'],
  ['a server error that did not come before', many(20, row(200)), many(5, row(500)), row(500), 'refused'],
  ['the commonest of several', many(20, row(200)), [row(500), ...many(5, row(418))], row(500), 'neither'],
  ['a server error beside 429', many(20, row(200)), [row(429), ...many(5, row(503))], row(503), 'neither'],
  [
    'what a job that is cancelled twice answers',
    [row(200), ...many(19, row(409))],
    many(5, row(409)),
    row(409),
    'admitted',
  ],
  ['403 where that is how it answers', many(20, row(403)), many(5, row(429)), row(403), 'neither'],
  ['a ban beside 429', many(20, row(200)), [row(429), row(403)], row(403), 'refused'],
  ['success, where the first were refused', many(20, row(429)), many(5, row(200)), row(200), 'admitted'],
  [
    'success, where the first were refused with another status',
    many(20, row(503)),
    many(5, row(200)),
    row(200),
    'admitted',
  ],
  ['a closed connection', many(20, row(200)), many(5, cut), cut, 'refused'],
  ['a closed connection beside 429', many(20, row(200)), [row(429), cut, cut], cut, 'neither'],
  ['no answer', many(20, row(200)), many(5, silent), silent, 'neither'],
  ['a body that says so', many(20, row(200)), many(5, throttled), throttled, 'refused'],
  ['a body that always says so', many(20, throttled), many(5, throttled), throttled, 'admitted'],
  [
    'an outage, which is over at some time',
    many(20, row(200)),
    [...many(5, row(503)), row(200, { sentMs: 99 })],
    row(503),
    'neither',
  ],
])('%s', (_, first, beyond, one, expected) => {
  expect(classifier(first, beyond)(one)).toBe(expected);
});

test('where connections break within the limit too, a closed one is no refusal', () => {
  expect(classifier(many(20, row(200)), many(5, cut), [row(200), cut])(cut)).toBe('neither');
});

test('the name of a refusal', () => {
  expect([row(429), cut, silent, throttled].map(formOf)).toEqual([
    '429',
    'closed connection',
    '0',
    '200 "rate limited"',
  ]);
});
