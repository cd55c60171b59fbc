/**
 * Who and what interface B turns away: the documentation shows neither its credentials nor its refusals. Conventions
 * name the clients that go wrong; what is only usual is a habit.
 */
import { operations } from '../operations.ts';
import { type Clause, section } from './clause.ts';
import { type ClientName, each } from './clients.ts';

const { convention, habit } = section('4.3');
const in5 = section('5');
const in7 = section('7');

const JS = 'runpod-sdk (npm)';
const PYTHON = 'runpod (Python)';
const GO = 'runpod-go';
const ALL: readonly ClientName[] = [JS, PYTHON, GO];

const SUBMITTING = ['run', 'runsync'] as const;
const JOBS = operations.filter((one) => one.interface === 'jobs').map((one) => one.id);

export const jobsAccess: readonly Clause[] = [
  convention(
    'jobs.policy',
    'policy, with executionTimeout and ttl in milliseconds and lowPriority, is accepted next to input.',
    'the body of a submission is not documented',
    each('sends policy as its program gave it, and gets its submission back', JS, GO),
    SUBMITTING,
  ),
  convention(
    'jobs.id-plain',
    'A job id is a text that stands in a path as it is, without being encoded.',
    'the format of a job id is not documented',
    each('puts the id into the path as it is', ...ALL),
    SUBMITTING,
  ),
  in7.convention(
    'jobs.refused-without-effect',
    'What is refused has no effect: no job is made, and none is cancelled.',
    'what a rejected submission leaves behind is not documented',
    each('throws at the refusal: its program submits again, or believes that its job goes on', ...ALL),
    ['run', 'runsync', 'cancel'],
  ),
  in7.convention(
    'jobs.unknown-at-once',
    'A job that is not there is not waited for.',
    'how long a response may take is not documented',
    { [PYTHON]: 'gives up reading after ten seconds, and does not learn that the job is not there' },
    ['status-sync', 'stream'],
  ),
  in5.convention(
    'jobs.status-401',
    'Where interface B requires a key, a missing or a wrong one gets 401.',
    'authentication of interface B is not documented',
    { [PYTHON]: 'says that the key is wrong at this status alone; at others its user gets a bare HTTP error' },
    ['run'],
  ),
  in5.convention(
    'jobs.key-everywhere',
    'Where interface B requires a key, each operation that shows or changes jobs does.',
    'authentication of interface B is not documented',
    each('relies on the key to protect inputs and outputs, and anyone reads or stops its jobs without one', ...ALL),
    JOBS.filter((id) => id !== 'health' && id !== 'purge-queue'),
  ),
  habit('jobs.get-is-safe', 'GET has no effect where an operation has POST only.', [...SUBMITTING, 'cancel']),
];
