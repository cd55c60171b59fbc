import { beforeEach, expect, test, vi } from 'vitest';
import { decodeLedger } from '../../../schemas/ledger.ts';
import { plainEntry } from '../../../schemas/ledger-rows.ts';
import { separateOwnJobs } from '../../execute/own-jobs.ts';
import { markEnd, markStart, record, recordOwnJob } from './ledger.ts';

vi.mock('./clock.ts', () => ({ now: () => 250.5 }));

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
});

test('what is written is what the analysis reads, one line a call', () => {
  const times = { sentMs: 1, firstByteMs: 2, endMs: 3 };
  const entry = { phase: 'burst', operation: 'run', ...times, status: 200, error: '', note: 'x' };
  const zeroWallMs = markStart();
  record(entry);
  recordOwnJob('j');
  vi.spyOn(Date, 'now').mockReturnValue(1_060_000);
  markEnd(zeroWallMs);
  expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  const { ledger, jobIds } = separateOwnJobs(lines.join('\n'));
  expect(jobIds).toEqual(['j']);
  const { entries, marks, unreadable } = decodeLedger(ledger);
  expect({ entries: entries.map(plainEntry), marks, unreadable }).toEqual({
    entries: [entry],
    marks: [
      { mark: 'start', wallMs: 1_000_000, monotonicMs: 250.5 },
      { mark: 'end', wallMs: 1_060_000, monotonicMs: 60_250.5 },
    ],
    unreadable: 0,
  });
});
