/** What clients of serverless job endpoints depend on although the documentation is silent. */
import { type Clause, convention, habit } from './clause.ts';
import { type Breaks, each, typed } from './clients.ts';

const JS = 'runpod-sdk (npm)';
const PYTHON = 'runpod (Python)';
const GO = 'runpod-go';

const READERS: Breaks = { 'readers of requests': 'read requests as a list of objects with id and status' };

export const jobsConventions: readonly Clause[] = [
  convention(
    '4.3',
    'run.status-200',
    'run and runsync answer with exactly 200.',
    {
      [JS]: 'hands out the status instead of the body, so that the id is lost',
      [GO]: 'takes any other status as an error',
    },
    ['run', 'runsync'],
  ),
  convention(
    '4.3',
    'run.envelope',
    'run answers with id and the state IN_QUEUE.',
    { [PYTHON]: 'throws where there is no id', ...typed('id and status', JS, GO) },
    ['run'],
  ),
  convention(
    '4.3',
    'runsync.envelope',
    'runsync answers with id, status and output.',
    { [PYTHON]: 'throws where there is no status', [JS]: 'asks on for a job that it does not see ended' },
    ['runsync'],
  ),
  convention(
    '4.3',
    'runsync.job',
    'A synchronous job has an id too and can be looked up by it.',
    each('asks for the job by its id when the answer came before its end', JS, PYTHON, GO),
    ['runsync', 'status'],
  ),
  convention(
    '4.3',
    'status.envelope',
    'A status record has id and status, and output once it is complete.',
    { [PYTHON]: 'throws where there is no status', ...typed('id, status and output', JS, GO) },
    ['status', 'status-sync'],
  ),
  convention(
    '4.3',
    'status.times',
    'A complete record has delayTime and executionTime in milliseconds.',
    { ...typed('delayTime and executionTime', JS), [GO]: 'can not read a record whose times are no numbers' },
    ['status'],
  ),
  convention(
    '4.3',
    'status-sync.waits',
    'status-sync holds its answer until the job ends or patience does.',
    { [JS]: 'asks again at once, without a pause, and runs into the limit of requests' },
    ['status-sync'],
  ),
  convention(
    '4.3',
    'stream.envelope',
    'stream answers with status and a list stream of objects with output.',
    { [JS]: 'throws where stream is no list', [PYTHON]: 'throws where stream is no list or an item has no output' },
    ['stream'],
  ),
  convention(
    '4.3',
    'stream.drains',
    'Each chunk is delivered once; the first final answer holds all that is left.',
    {
      ...each('stops at the first answer with a final state and loses what would come later', JS, GO),
      [PYTHON]: 'goes on until an answer holds no chunk, for ever where they are repeated',
    },
    ['stream'],
  ),
  convention(
    '4.3',
    'stream.incremental',
    'Chunks can be read while the job runs.',
    {
      [PYTHON]: 'gives up an answer that is held for longer than ten seconds',
      [JS]: 'yields nothing until the job ends',
    },
    ['stream'],
  ),
  convention(
    '4.3',
    'cancel.envelope',
    'cancel answers with id and the state CANCELLED.',
    typed('id and status', JS, GO),
    ['cancel'],
  ),
  convention(
    '4.3',
    'cancel.finished',
    'cancel of a job that has ended changes nothing.',
    each('can not tell that a job ended just before it was cancelled, and asks for its output afterwards', JS, PYTHON),
    ['cancel'],
  ),
  convention(
    '4.3',
    'purge-queue.envelope',
    'purge-queue answers with the number removed and a status.',
    typed('removed and status', JS, GO),
    ['purge-queue'],
  ),
  convention(
    '4.3',
    'health.envelope',
    'health answers with counts of jobs and of workers.',
    { ...typed('jobs and workers with their counts', JS), [GO]: 'can not read counts that are no whole numbers' },
    ['health'],
  ),
  convention(
    '4.3',
    'health.agrees',
    'The counts of health follow what happens to jobs.',
    each('has no other call that shows a queue: programs that wait for a free worker by it go wrong', JS, PYTHON, GO),
    ['health'],
  ),
  convention(
    '4.3',
    'requests.envelope',
    'requests answers with a list requests of objects with id and status.',
    READERS,
    ['requests'],
  ),
  convention(
    '4.3',
    'requests.own',
    'A job that was just submitted is listed, once, with the state that status says.',
    { 'readers of requests': 'show a queue that is not the one there is' },
    ['requests'],
  ),
  convention(
    '4.3',
    'jobs.input',
    'The body of a submission is an object with input, which the handler gets.',
    each('sends what the handler shall get as input, and nothing else', JS, PYTHON, GO),
    ['run', 'runsync'],
  ),
  convention(
    '4.3',
    'jobs.empty-body',
    'A POST without a body is taken where there is nothing to send.',
    {
      [PYTHON]: 'sends cancel and purge-queue as JSON without a body',
      [GO]: 'sends status, status-sync and stream as JSON without a body',
    },
    ['status', 'status-sync', 'stream', 'cancel', 'purge-queue'],
  ),
  habit('4.3', 'jobs.json', 'Answers of interface B say in Content-Type that they are JSON.', [
    'run',
    'runsync',
    'status',
    'status-sync',
    'stream',
    'cancel',
    'purge-queue',
    'health',
    'requests',
  ]),
];
