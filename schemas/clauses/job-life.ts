/**
 * Conventions on the life of a job: the documentation names neither its states nor who may read it. Each names the
 * clients that break without it, so that none is mistaken for a promise.
 */
import { type Clause, READING, section } from './clause.ts';
import { type Breaks, type ClientName, each } from './clients.ts';

const { convention } = section('4.3');
const in3 = section('3');
const in5 = section('5');

const JS = 'runpod-sdk (npm)';
const PYTHON = 'runpod (Python)';
const GO = 'runpod-go';
const ALL: readonly ClientName[] = [JS, PYTHON, GO];

const WAITING: Breaks = { [JS]: 'sends what is left of its timeout as wait, and goes on with status-sync by the id' };

export const jobLife: readonly Clause[] = [
  in3.convention(
    'jobs.forward',
    'A job waits, runs and ends, in this order; nothing leads back.',
    'no move between states is documented',
    each('stops at the first final state and never learns what comes after it', ...ALL),
    READING,
  ),
  convention(
    'jobs.same-everywhere',
    'Every operation that shows a job says the same about one that has ended: id, state, output, error and times.',
    'the fields of the job record are not documented',
    each('reads what runsync and status-sync say, whichever comes first', JS, GO),
    ['run', 'runsync', 'status', 'status-sync', 'stream', 'cancel', 'requests'],
  ),
  convention(
    'jobs.whole-times',
    'delayTime and executionTime are whole numbers.',
    'the fields of the job record are not documented',
    { [GO]: "can't read a record whose times have a fraction" },
    ['status', 'runsync'],
  ),
  in5.convention(
    'jobs.account',
    'A job belongs to the account that submitted it: a key of another one can neither read, cancel nor list it.',
    'authentication of interface B is not documented',
    each('entrusts inputs and outputs to an account that others then see', ...ALL),
    ['run', 'status', 'status-sync', 'stream', 'cancel', 'requests'],
  ),
  convention(
    'jobs.held-alone',
    'While an answer is held back for one job, others are given.',
    'how long a response may take is not documented',
    {
      [JS]: 'gives up run, status, cancel and health after three seconds',
      [PYTHON]: 'gives up cancel and health after three seconds',
    },
    ['runsync', ...READING],
  ),
  convention(
    'runsync.wait',
    'runsync holds its answer no longer than ?wait= says; an unfinished job goes on, and status finds it.',
    'the parameter wait is not documented',
    WAITING,
    ['runsync', 'status'],
  ),
  convention(
    'status-sync.wait',
    'status-sync holds its answer no longer than ?wait= says.',
    'the parameter wait is not documented',
    WAITING,
    ['status-sync'],
  ),
  convention(
    'cancel.prompt',
    'cancel answers within three seconds.',
    'how long a response may take is not documented',
    each('gives cancel up after three seconds', JS, PYTHON),
    ['cancel'],
  ),
  convention(
    'cancel.empty-object',
    'cancel takes a body that is an empty object.',
    'the body of cancel is not documented',
    { [JS]: 'sends one and throws where it is refused' },
    ['cancel'],
  ),
  convention(
    'stream.stays',
    'A stream that has ended goes on to answer with its final state and an empty list.',
    'the response after the last result is not documented',
    { [PYTHON]: 'polls until both have come, and throws at a refusal' },
    ['stream'],
  ),
];
