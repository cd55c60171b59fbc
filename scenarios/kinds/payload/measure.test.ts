/** Ledgers of the payload probes -> facts. */
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import type { PayloadParameters, RefusedJobParameters } from '../../probe.ts';
import { entryOf, ledgerOf as ledger } from '../../testing/ledger.ts';
import { analyseInferencePayload } from '../inference-payload/index.ts';
import { analyseRefusedJobs } from '../refused-job/index.ts';
import { analysePayload } from './measure.ts';
import type { JobEcho } from './send/job-echo.ts';
import { encodeSize, encodeVisibility, type SizeNote } from './send/note.ts';

const entry = (changes: Partial<LedgerEntry>): LedgerEntry => entryOf({ phase: 'try', ...changes });

const parameters: PayloadParameters = {
  kind: 'payload',
  limitId: 'run.payload',
  instId: 'inst-a',
  operation: 'run',
  acceptBytes: 100,
  refuseBytes: 200,
  floorBytes: 10,
  capBytes: 400,
  readable: true,
  followsUp: true,
};

const queued: JobEcho = { id: 'big', state: 'queued', endCameBack: null, paddingCameBack: false };
const done: JobEcho = { ...queued, state: 'completed', endCameBack: true };
const note = (bytes: number, seen: JobEcho | null = null, more: Partial<SizeNote> = {}) =>
  encodeSize({ bytes, encoding: 'content-length', sent: null, seen, ...more });

const submitted = entry({ note: note(100, queued) });
const control = entry({ phase: 'control', note: note(10, { ...queued, id: 'small' }), endMs: 50 });
const followUp = (id: string, seen: Partial<JobEcho>, endMs: number, status = 200) =>
  entry({ phase: 'follow-up', operation: 'status', status, endMs, note: note(0, { ...queued, ...seen, id }) });
const smallDone = followUp('small', done, 60);

const jobOf = (...entries: LedgerEntry[]) => analysePayload(parameters, ledger(entries), 1).attempts[0]?.job;

test('attempts have their encoding, how much was sent and whether they are a retry', () => {
  const chunked = note(200, null, { encoding: 'chunked', sent: 'part' });
  const entries = [entry({ note: note(10) }), entry({ phase: 'retry', status: 0, error: 'EPIPE', note: chunked })];
  expect(analysePayload(parameters, ledger(entries), 1).attempts).toEqual([
    { bytes: 10, encoding: 'content-length', outcome: 'accepted', status: 200, error: '', sent: null, isRetry: false },
    { bytes: 200, encoding: 'chunked', outcome: 'broken-off', status: 0, error: 'EPIPE', sent: 'part', isRetry: true },
  ]);
});

test('the last poll of a job counts, and how long after the end of a small one it was', () => {
  expect(jobOf(submitted, control, smallDone, followUp('big', {}, 70), followUp('big', done, 300))).toEqual({
    state: 'completed',
    endCameBack: true,
    paddingCameBack: false,
    watchedMs: 240,
  });
  expect(jobOf(submitted, control, followUp('big', {}, 70))).toMatchObject({ state: 'queued', watchedMs: null });
});

describe('an unknown job', () => {
  const unknown = followUp('big', { state: 'unseen' }, 90, 404);
  const first = entry({ note: note(10, { ...queued, id: 'first' }) });
  const earlier = (status: number) => followUp('first', status === 200 ? done : { state: 'unseen' }, 100, status);
  const stateOf = (...entries: LedgerEntry[]) =>
    analysePayload(parameters, ledger([first, submitted, control, ...entries]), 1).attempts[1]?.job?.state;

  test('is forgotten where small ones are known, one submitted before and one after it', () => {
    expect(stateOf(smallDone, unknown, earlier(200))).toBe('forgotten');
  });

  test('may be forgotten with all others', () => {
    expect(stateOf(smallDone, unknown, earlier(404))).toBe('all-forgotten');
    expect(stateOf(smallDone, unknown)).toBe('all-forgotten');
    expect(stateOf(smallDone, earlier(200), followUp('big', { state: 'unseen' }, 190, 404))).toBe('forgotten');
    expect(stateOf(followUp('small', { state: 'unseen' }, 60, 404), unknown, earlier(200))).toBe('all-forgotten');
  });

  test.each([0, 503])('without any response (%i) is not known to be', (status) => {
    expect(stateOf(smallDone, followUp('big', { state: 'unseen' }, 90, status))).toBe('unanswered');
  });
});

test('a state in the response itself needs no follow-up', () => {
  expect(jobOf(entry({ note: note(100, done) }))).toMatchObject({ state: 'completed', watchedMs: null });
  expect(jobOf(entry({ note: note(100, { ...queued, id: null }) }))?.state).toBe('nameless');
});

test('nothing is said of jobs that were not polled', () => {
  expect(jobOf(submitted)).toBeUndefined();
  expect(jobOf(entry({ note: note(50, done) }))).toBeUndefined();
  expect(jobOf(entry({ status: 413, note: note(100) }))).toBeUndefined();
  const blind = analysePayload({ ...parameters, followsUp: false }, ledger([entry({ note: note(100, done) })]), 1);
  expect(blind.attempts[0]?.job).toBeUndefined();
});

const refused: RefusedJobParameters = {
  kind: 'refused-job',
  instId: 'inst-a',
  operation: 'run',
  bodies: [{ limitId: 'run.payload', operation: 'run', bytes: 200 }],
  rounds: 2,
  settleMs: 1,
};

const health = (phase: string, jobs: number | null) =>
  entry({ phase, operation: 'health', note: encodeVisibility({ jobs, ids: null }) });
const list = (phase: string, ids: readonly string[] | null) =>
  entry({ phase, operation: 'requests', note: encodeVisibility({ jobs: null, ids }) });
const tried = (status = 413) => entry({ status, note: note(200, { ...queued, id: null, state: 'unseen' }) });

function refusedFacts(after: readonly number[], first: readonly string[], second: readonly string[], last: string[]) {
  const rounds = after.flatMap((jobs) => [tried(), health('after', jobs)]);
  const ordinary = entry({ phase: 'ordinary', note: note(30, { ...queued, id: 'mine' }) });
  const before = [
    health('before', 5),
    list('before', first),
    ordinary,
    health('ordinary', 6),
    list('ordinary', second),
  ];
  return analyseRefusedJobs(
    refused,
    ledger([...before, ...rounds, health('end', after.at(-1) ?? 6), list('end', last)]),
    1,
  );
}

test('what health and the list show after each refused body', () => {
  const sound = refusedFacts([6, 6], ['old'], ['mine', 'old'], ['mine', 'old']);
  expect(sound).toMatchObject({ counted: true, listed: true, unknownJobs: 0 });
  expect(sound.rounds.map(({ moreJobs, outcome }) => [moreJobs, outcome])).toEqual([
    [0, 'refused'],
    [0, 'refused'],
  ]);
  const faulty = refusedFacts([7, 8], ['old'], ['mine', 'old'], ['x', 'y', 'mine']);
  expect(faulty.rounds.map(({ moreJobs }) => moreJobs)).toEqual([1, 1]);
  expect(faulty.unknownJobs).toBe(2);
});

test('a list in another order counts only while nothing drops out of it', () => {
  expect(refusedFacts([6], ['old'], ['old', 'mine'], ['old', 'mine', 'x']).unknownJobs).toBe(1);
  expect(refusedFacts([6], ['old'], ['old', 'mine'], ['mine', 'x']).unknownJobs).toBeNull();
  expect(refusedFacts([6], ['old'], ['old'], ['old'])).toMatchObject({ listed: false, unknownJobs: null });
});

test('counts that fall again are of jobs that wait or run, and show nothing of others', () => {
  const fallen = refusedFacts([5, 5], ['old'], ['mine', 'old'], ['mine', 'old']);
  expect(fallen).toMatchObject({ counted: false, listed: true, unknownJobs: 0 });
});

test('an id in a refusal leads to a job or does not', () => {
  const named = (status: number) => entry({ phase: 'named', operation: 'status', status, note: note(200, queued) });
  const of = (status: number) => analyseRefusedJobs(refused, ledger([tried(), named(status)]), 1).rounds[0]?.named;
  expect([of(200), of(404)]).toEqual([true, false]);
  expect(analyseRefusedJobs(refused, ledger([tried()]), 1)).toMatchObject({
    counted: false,
    listed: false,
  });
});

test('bodies of interface A are attempts like any other', () => {
  const requested = { kind: 'inference-payload', instId: '', operation: 'chat', floorBytes: 1, startBytes: 2 } as const;
  const facts = analyseInferencePayload(
    { ...requested, capBytes: 8, halvings: 1 },
    ledger([entry({ note: note(4) })]),
    1,
  );
  expect(facts).toMatchObject({
    kind: 'inference-payload',
    capBytes: 8,
    attempts: [{ bytes: 4, outcome: 'accepted' }],
  });
});
