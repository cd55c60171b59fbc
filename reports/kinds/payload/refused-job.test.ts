import { expect, test } from 'vitest';
import type { RefusedJobFacts } from '../../../schemas/facts.ts';
import { documentedTable } from '../../../schemas/limits.ts';
import { soundHealth } from '../../verdicts/testing/facts.ts';
import { judgeRefusedJobs } from './refused-job.ts';

type Round = RefusedJobFacts['rounds'][number];

const round = (limitId: string, changes: Partial<Round> = {}): Round => ({
  limitId,
  bytes: 100,
  status: 413,
  outcome: 'refused',
  moreJobs: 0,
  named: null,
  ...changes,
});

const ofBoth = (run: readonly Partial<Round>[], runsync: readonly Partial<Round>[] = [{}, {}]) => [
  ...run.map((one) => round('run.payload', one)),
  ...runsync.map((one) => round('runsync.payload', one)),
];

function judged(rounds: readonly Round[], changes: Partial<RefusedJobFacts> = {}) {
  const facts: RefusedJobFacts = {
    kind: 'refused-job',
    instId: 'inst-a',
    counted: true,
    listed: true,
    rounds,
    unknownJobs: 0,
    health: soundHealth(),
    ...changes,
  };
  const claims = judgeRefusedJobs(facts, documentedTable);
  return ['run', 'runsync'].map((operation) => claims[`${operation}.payload.refused-job`]?.verdict);
}

const more = { moreJobs: 1 };
const unknown = { counted: false, listed: false, unknownJobs: null };

test.each<[string, ReturnType<typeof judged>, string[]]>([
  ['nothing new anywhere', judged(ofBoth([{}, {}])), ['holds', 'holds']],
  ['counts alone', judged(ofBoth([{}, {}]), { listed: false, unknownJobs: null }), ['holds', 'holds']],
  ['the list alone', judged(ofBoth([{}, {}]), { counted: false }), ['holds', 'holds']],
  ['a job after each refusal of run', judged(ofBoth([more, more]), { unknownJobs: 2 }), ['broken', 'holds']],
  ['the same without a list', judged(ofBoth([more, more]), { listed: false, unknownJobs: null }), ['broken', 'holds']],
  ['the list alone, full', judged(ofBoth([{}, {}]), { counted: false, unknownJobs: 4 }), ['broken', 'broken']],
  ['one job that may be of anybody', judged(ofBoth([more, {}]), { unknownJobs: 1 }), ['inconclusive', 'holds']],
  ['a job that no count saw', judged(ofBoth([{}, {}]), { unknownJobs: 1 }), ['inconclusive', 'inconclusive']],
  ['counts that the list denies', judged(ofBoth([more, more])), ['inconclusive', 'holds']],
  [
    'counts that fall',
    judged(ofBoth([{ moreJobs: -1 }, {}]), { listed: false, unknownJobs: null }),
    ['inconclusive', 'holds'],
  ],
  ['counts that fall beside a list', judged(ofBoth([{ moreJobs: -1 }, {}])), ['holds', 'holds']],
  [
    'a refusal that names a job which exists',
    judged(ofBoth([{ named: true }, {}]), unknown),
    ['broken', 'inconclusive'],
  ],
  ['nothing that shows jobs', judged(ofBoth([{}, {}]), unknown), ['inconclusive', 'inconclusive']],
  ['bodies that are taken', judged(ofBoth([{ outcome: 'accepted', status: 200 }, {}])), ['inconclusive', 'holds']],
  ['a cut connection', judged(ofBoth([{ outcome: 'broken-off', status: 0 }, {}])), ['holds', 'holds']],
  [
    'a probe that was cut off',
    judged(ofBoth([{}]), { health: soundHealth({ complete: false }) }),
    ['inconclusive', 'inconclusive'],
  ],
  ['no round at all', judged([]), ['inconclusive', 'inconclusive']],
])('%s', (_, verdicts, expected) => {
  expect(verdicts).toEqual(expected);
});
