/** A ledger is kept as it is, and one that can't be kept says so, which leaves every verdict on it open. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { plainEntry } from '../../schemas/ledger-rows.ts';
import { keepEvidence, maskLog } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofload-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const times = { sentMs: 1, firstByteMs: 2, endMs: 2 };
const entry: LedgerEntry = { phase: 'within', operation: 'cancel', ...times, status: 200, error: '', note: '' };
const ledger = [
  encodeMark({ mark: 'start', wallMs: 0, monotonicMs: 0 }),
  encodeEntry(entry),
  encodeMark({ mark: 'end', wallMs: 9, monotonicMs: 9 }),
  '',
].join('\n');

test('it is kept as it is', async () => {
  const file = join(folder, 'ledger.gz');
  expect(await keepEvidence(file, ledger)).toBe(ledger);
  expect(gunzipSync(readFileSync(file)).toString()).toBe(ledger);
});

test('without the folder for it, it says how many lines were lost, and keeps what was seen', async () => {
  const kept = decodeLedger(await keepEvidence(join(folder, 'none', 'ledger.gz'), ledger));
  expect(kept.lost).toEqual({ lines: 3, why: 'no such file or directory' });
  expect(kept.entries.map(plainEntry)).toEqual([entry]);
  expect(kept.marks.map(({ mark }) => mark)).toEqual(['start', 'end']);
});

test.skipIf(!existsSync('/dev/full'))('on a full disk too, and half a file is no evidence', async () => {
  const file = join(folder, 'ledger.gz');
  symlinkSync('/dev/full', file);
  const { lost } = decodeLedger(await keepEvidence(file, ledger));
  expect(lost).toEqual({ lines: 3, why: 'no space left on device' });
  expect(readdirSync(folder)).toEqual([]);
});

test('of one that was not even begun nothing is lost', async () => {
  expect(await keepEvidence(join(folder, 'none', 'ledger.gz'), '')).toBe('');
});

const mask = (text: string): string => text.replaceAll('sk-secret', '[masked]');

test('a key in it is masked in the file, and not in what is analysed', async () => {
  const file = join(folder, 'ledger.gz');
  const reported = `${encodeEntry({ ...entry, note: 'sk-secret' })}\n`;
  expect(await keepEvidence(file, reported, mask)).toBe(reported);
  const kept = gunzipSync(readFileSync(file)).toString();
  expect(kept).toBe(mask(reported));
  expect(decodeLedger(kept).entries).toHaveLength(1);
});

test('a log is masked where it holds a key, and one that was never made stays away', async () => {
  const file = join(folder, 'probe.log');
  writeFileSync(file, 'level=warning msg="sk-secret"\n');
  await maskLog(file, mask);
  expect(readFileSync(file, 'utf8')).toBe('level=warning msg="[masked]"\n');
  await maskLog(join(folder, 'none.log'), mask);
  expect(readdirSync(folder)).toEqual(['probe.log']);
});

test('a log that cannot be masked does not stay', async () => {
  const file = join(folder, 'probe.log');
  writeFileSync(file, 'sk-secret');
  await maskLog(file, () => {
    throw new Error('broke');
  });
  expect(existsSync(file)).toBe(false);
});
