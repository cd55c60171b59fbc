/** Part 4 of the documentation: the operations of both interfaces, their methods and what they return. */
import { operations } from '../operations.ts';
import { type Clause, gap, promise } from './clause.ts';

/** Part 4.3 of the documentation: what it does not show of the job operations, one clause for each question. */
const gapsOfJobs: readonly Clause[] = [
  gap('4.3', 'submission-body', 'The shape of a run or runsync body.', ['run', 'runsync']),
  gap('4.3', 'submission-fields', 'What further fields of a submission do.', ['run']),
  gap('4.3', 'run-response', 'The other fields in the response of run than the job id.', ['run']),
  gap('4.3', 'runsync-response', 'The other fields in the response of runsync than the results.', ['runsync']),
  gap('4.3', 'runsync-longer', 'What runsync answers for a job that runs longer than one may wait.', ['runsync']),
  gap('4.3', 'status-response', 'The body of a status answer.', ['status']),
  gap('4.3', 'status-sync-response', 'The body of a status-sync answer, and how long it is held.', ['status-sync']),
  gap('4.3', 'stream-response', 'The body of a stream answer, and how long it is held.', ['stream']),
  gap('4.3', 'cancel-response', 'The body of a cancel answer.', ['cancel']),
  gap('4.3', 'purge-queue-response', 'The body of a purge-queue answer.', ['purge-queue']),
  gap('4.3', 'purged-jobs', 'What becomes of the records of purged jobs.', ['purge-queue', 'status', 'requests']),
  gap('4.3', 'health-response', 'The body of a health answer: which statistics, and what counts as health.', [
    'health',
  ]),
  gap('4.3', 'requests-response', 'The body of a requests answer.', ['requests']),
  gap('4.3', 'requests-order', 'In which order requests are listed.', ['requests']),
  gap('4.3', 'requests-paging', 'Whether a list of requests can be had in parts.', ['requests']),
  gap('4.3', 'requests-members', 'Which requests are listed: those of ended, failed and cancelled jobs, or not.', [
    'requests',
  ]),
  gap('4.3', 'queue-order', 'In which order queued jobs run.', ['run', 'status']),
];

/** Each operation answers at its path with each of its methods: one promise per row of the operations table. */
const routes: readonly Clause[] = operations.map(({ id, section, methods, path }) => {
  const sent = id === 'models' ? ' with nothing else sent' : '';
  return promise(section, `${id}.route`, `${methods.join(' and ')} ${path}${sent} is answered.`, [id]);
});

export const part4: readonly Clause[] = [
  ...routes,
  promise('4.1', 'models.list', 'models returns the models that can be used.', ['models']),
  promise('4.1', 'chat.completion', 'chat/completions returns a chat completion.', ['chat']),
  promise('4.1', 'completions.completion', 'completions takes a prompt in a JSON body and returns a text completion.', [
    'completions',
  ]),
  promise('4.1', 'inference.authorization', 'Each of the three endpoints needs the Authorization header.', [
    'models',
    'chat',
    'completions',
  ]),
  promise('4.2', 'jobs.instance', 'inst_id in the path says which endpoint instance is meant.', [
    'run',
    'runsync',
    'status',
    'health',
  ]),
  promise('4.2', 'run.job-id', 'run answers with a job id.', ['run']),
  promise('4.2', 'runsync.results', 'runsync answers with the results of the job.', ['runsync']),
  promise('4.2', 'status.job-status', 'status reports the state of a job.', ['status']),
  promise('4.2', 'status.outputs', 'status retrieves the outputs of a job.', ['status']),
  promise('4.2', 'status-sync.job-status', 'status-sync reports the state of a job, synchronously.', ['status-sync']),
  promise('4.2', 'stream.results', 'stream delivers the results of a handler that generates them one by one.', [
    'stream',
  ]),
  promise('4.2', 'cancel.cancels', 'cancel stops a job.', ['cancel']),
  promise('4.2', 'cancel.result', 'cancel says what became of the cancellation.', ['cancel']),
  promise('4.2', 'purge-queue.clears-queued', 'purge-queue removes every queued job.', ['purge-queue']),
  promise('4.2', 'purge-queue.keeps-running', 'purge-queue leaves running jobs alone.', ['purge-queue']),
  promise('4.2', 'purge-queue.result', 'purge-queue says what became of the purge.', ['purge-queue']),
  promise('4.2', 'health.statistics', 'health returns statistics of the workers.', ['health']),
  promise('4.2', 'health.endpoint', 'health reports the health of the endpoint.', ['health']),
  promise('4.2', 'requests.list', 'requests returns a list of requests.', ['requests']),
  gap('4.2', 'instance-format', 'The format of inst_id.', ['health']),
  ...gapsOfJobs,
];
