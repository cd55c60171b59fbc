/** Part 4 of the documentation: the operations of both interfaces, their methods and what they return. */
import { operations } from '../operations.ts';
import { type Clause, INFERENCE, section } from './clause.ts';

const { gap } = section('4.3');
const in41 = section('4.1');
const in42 = section('4.2');

/** Part 4.3 of the documentation: what it does not show of the job operations, one clause for each question. */
const gapsOfJobs: readonly Clause[] = [
  gap('submission-body', 'The shape of a run or runsync body.', ['run', 'runsync']),
  gap('submission-fields', 'What further fields of a submission do.', ['run']),
  gap('run-response', 'The other fields in the response of run than the job id.', ['run']),
  gap('runsync-response', 'The other fields in the response of runsync than the results.', ['runsync']),
  gap('runsync-longer', 'What runsync answers for a job that runs longer than one may wait.', ['runsync']),
  gap('status-response', 'The body of a status answer.', ['status']),
  gap('status-sync-response', 'The body of a status-sync answer, and how long it is held.', ['status-sync']),
  gap('stream-response', 'The body of a stream answer, and how long it is held.', ['stream']),
  gap('cancel-response', 'The body of a cancel answer.', ['cancel']),
  gap('purge-queue-response', 'The body of a purge-queue answer.', ['purge-queue']),
  gap('purged-jobs', 'What becomes of the records of purged jobs.', ['purge-queue', 'status', 'requests']),
  gap('health-response', 'The body of a health answer: which statistics, and what counts as health.', ['health']),
  gap('requests-response', 'The body of a requests answer.', ['requests']),
  gap('requests-order', 'In which order requests are listed.', ['requests']),
  gap('requests-paging', 'Whether a list of requests can be had in parts.', ['requests']),
  gap('requests-members', 'Which requests are listed: those of ended, failed and cancelled jobs, or not.', [
    'requests',
  ]),
  gap('queue-order', 'In which order queued jobs run.', ['run', 'status']),
];

/** Each operation answers at its path with each of its methods: one promise per row of the operations table. */
const routes: readonly Clause[] = operations.map(({ id, methods, path, ...one }) => {
  const sent = id === 'models' ? ' with nothing else sent' : '';
  return section(one.section).promise(`${id}.route`, `${methods.join(' and ')} ${path}${sent} is answered.`, [id]);
});

export const part4: readonly Clause[] = [
  ...routes,
  in41.promise('models.list', 'models returns the models that can be used.', ['models']),
  in41.promise('chat.completion', 'chat/completions returns a chat completion.', ['chat']),
  in41.promise('completions.completion', 'completions takes a prompt in a JSON body and returns a text completion.', [
    'completions',
  ]),
  in41.promise('inference.authorization', 'Each of the three endpoints needs the Authorization header.', INFERENCE),
  in42.promise('jobs.instance', 'inst_id in the path says which endpoint instance is meant.', [
    'run',
    'runsync',
    'status',
    'health',
  ]),
  in42.promise('run.job-id', 'run answers with a job id.', ['run']),
  in42.promise('runsync.results', 'runsync answers with the results of the job.', ['runsync']),
  in42.promise('status.job-status', 'status reports the state of a job.', ['status']),
  in42.promise('status.outputs', 'status retrieves the outputs of a job.', ['status']),
  in42.promise('status-sync.job-status', 'status-sync reports the state of a job, synchronously.', ['status-sync']),
  in42.promise('stream.results', 'stream delivers the results of a handler that generates them one by one.', [
    'stream',
  ]),
  in42.promise('cancel.cancels', 'cancel stops a job.', ['cancel']),
  in42.promise('cancel.result', 'cancel says what became of the cancellation.', ['cancel']),
  in42.promise('purge-queue.clears-queued', 'purge-queue removes every queued job.', ['purge-queue']),
  in42.promise('purge-queue.keeps-running', 'purge-queue leaves running jobs alone.', ['purge-queue']),
  in42.promise('purge-queue.result', 'purge-queue says what became of the purge.', ['purge-queue']),
  in42.promise('health.statistics', 'health returns statistics of the workers.', ['health']),
  in42.promise('health.endpoint', 'health reports the health of the endpoint.', ['health']),
  in42.promise('requests.list', 'requests returns a list of requests.', ['requests']),
  in42.gap('instance-format', 'The format of inst_id.', ['health']),
  ...gapsOfJobs,
];
