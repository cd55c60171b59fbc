/** What clients of serverless job endpoints depend on although the documentation is silent. */
import { type Clause, section } from './clause.ts';
import { type Breaks, each, typed } from './clients.ts';

const { convention, habit } = section('4.3');

const JS = 'runpod-sdk (npm)';
const PYTHON = 'runpod (Python)';
const GO = 'runpod-go';

const READERS: Breaks = { 'readers of requests': 'read requests as a list of objects with id and status' };

export const jobsConventions: readonly Clause[] = [
  convention(
    'run.status-200',
    'run and runsync answer with exactly 200.',
    'the status of a success is not documented',
    {
      [JS]: 'returns the status instead of the body, so that the id is lost',
      [GO]: 'takes any other status as an error',
    },
    ['run', 'runsync'],
  ),
  convention(
    'run.envelope',
    'run answers with id and the state IN_QUEUE.',
    'that run returns an id is documented, the names of fields and states are not',
    { [PYTHON]: 'throws where there is no id', ...typed('id and status', JS, GO) },
    ['run'],
  ),
  convention(
    'runsync.envelope',
    'runsync answers with id, status and output.',
    'that runsync returns the results is documented, the names of fields and states are not',
    { [PYTHON]: 'throws where there is no status', [JS]: 'keeps polling a job whose end it does not see' },
    ['runsync'],
  ),
  convention(
    'runsync.job',
    'A synchronous job has an id too, and status finds it.',
    'only run is documented to return an id',
    each('polls the job by its id when the answer came before its end', JS, PYTHON, GO),
    ['runsync', 'status'],
  ),
  convention(
    'status.envelope',
    'A status record has id and status, and output once it is complete.',
    'status and outputs are documented, the names of their fields are not',
    { [PYTHON]: 'throws where there is no status', ...typed('id, status and output', JS, GO) },
    ['status', 'status-sync'],
  ),
  convention(
    'status.times',
    'A complete record has delayTime and executionTime in milliseconds.',
    'the fields of the job record are not documented',
    { ...typed('delayTime and executionTime', JS), [GO]: "can't read a record whose times are no numbers" },
    ['status'],
  ),
  convention(
    'status-sync.waits',
    'status-sync holds its answer until the job ends or patience does.',
    'what is synchronous about status-sync is not documented',
    { [JS]: 'polls again at once, without a pause, and runs into the rate limit' },
    ['status-sync'],
  ),
  convention(
    'stream.envelope',
    'stream answers with status and a list stream of objects with output.',
    'streamed results are documented, the shape of a response is not',
    { [JS]: 'throws where stream is no list', [PYTHON]: 'throws where stream is no list or an item has no output' },
    ['stream'],
  ),
  convention(
    'stream.drains',
    'Each chunk is in one answer only; the first final answer holds all that is left.',
    'that the results are streamed is documented; whether a second request gets them again is not',
    {
      ...each('stops at the first answer with a final state and loses what would come later', JS, GO),
      [PYTHON]: 'goes on until an answer holds no chunk, for ever where they are repeated',
    },
    ['stream'],
  ),
  convention(
    'stream.incremental',
    'Chunks can be read while the job runs.',
    'when a result can be read is not documented',
    {
      [PYTHON]: 'gives up an answer that is held for longer than ten seconds',
      [JS]: 'yields nothing until the job ends',
    },
    ['stream'],
  ),
  convention(
    'cancel.envelope',
    'cancel answers with id and the state CANCELLED.',
    'a cancellation result is documented, its fields are not',
    typed('id and status', JS, GO),
    ['cancel'],
  ),
  convention(
    'cancel.finished',
    'cancel of a job that has ended changes nothing.',
    'what cancel returns for a job that has ended is not documented',
    each("can't know that a job ended just before it was cancelled, and requests its output afterwards", JS, PYTHON),
    ['cancel'],
  ),
  convention(
    'purge-queue.envelope',
    'purge-queue answers with the number removed and a status.',
    'a result of the purge is documented, its fields are not',
    typed('removed and status', JS, GO),
    ['purge-queue'],
  ),
  convention(
    'health.envelope',
    'health answers with counts of jobs and of workers.',
    'statistics are documented, the names of their fields are not',
    { ...typed('jobs and workers with their counts', JS), [GO]: "can't read counts that are no whole numbers" },
    ['health'],
  ),
  convention(
    'health.agrees',
    'The counts of health follow what happens to jobs.',
    'which counts there are, what they cover and how soon they follow is not documented',
    each('has no other call that shows a queue: programs that wait for a free worker by it go wrong', JS, PYTHON, GO),
    ['health'],
  ),
  convention(
    'requests.envelope',
    'requests answers with a list requests of objects with id and status.',
    'a list of requests is documented, the fields of its items are not',
    READERS,
    ['requests'],
  ),
  convention(
    'requests.own',
    'A job that was just submitted is listed, once, with the state that status says.',
    'that jobs of this endpoint are listed is documented, the state in an item is not',
    { 'readers of requests': 'show a queue that is not the one there is' },
    ['requests'],
  ),
  convention(
    'jobs.input',
    'The body of a submission is an object with input, which the handler gets.',
    'the body of a submission is not documented',
    each("sends the handler's data as input, and nothing else", JS, PYTHON, GO),
    ['run', 'runsync'],
  ),
  convention(
    'jobs.empty-body',
    'A POST without a body is taken where there is nothing to send.',
    'the bodies of these requests are not documented',
    {
      [PYTHON]: 'sends cancel and purge-queue as JSON without a body',
      [GO]: 'sends status, status-sync and stream as JSON without a body',
    },
    ['status', 'status-sync', 'stream', 'cancel', 'purge-queue'],
  ),
  habit('jobs.json', 'Answers of interface B say in Content-Type that they are JSON.', [
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
