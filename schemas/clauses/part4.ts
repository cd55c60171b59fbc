/** Part 4 of the documentation: the operations of both interfaces, their methods and what they return. */
import { operations } from '../operations.ts';
import { type Clause, gap, promise, unseenGap } from './clause.ts';

/** Each operation answers at its path with each of its methods: one promise per row of the operations table. */
const routes: readonly Clause[] = operations.map((one) =>
  promise(one.section, `${one.id}.route`, `${one.methods.join(' and ')} ${one.path} is answered.`, [one.id]),
);

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
  promise('4.2', 'status.job-status', 'status tells how a job stands.', ['status']),
  promise('4.2', 'status.outputs', 'status retrieves the outputs of a job.', ['status']),
  promise('4.2', 'status-sync.job-status', 'status-sync tells how a job stands, synchronously.', ['status-sync']),
  promise('4.2', 'stream.results', 'stream delivers the results of a handler that generates them one by one.', [
    'stream',
  ]),
  promise('4.2', 'cancel.cancels', 'cancel stops a job.', ['cancel']),
  promise('4.2', 'cancel.result', 'cancel says what became of the cancellation.', ['cancel']),
  promise('4.2', 'purge-queue.clears-queued', 'purge-queue removes every queued job.', ['purge-queue']),
  promise('4.2', 'purge-queue.keeps-running', 'purge-queue leaves running jobs alone.', ['purge-queue']),
  promise('4.2', 'purge-queue.result', 'purge-queue says what became of the purge.', ['purge-queue']),
  promise('4.2', 'health.statistics', 'health returns statistics of the workers.', ['health']),
  promise('4.2', 'health.endpoint', 'health tells how the endpoint is.', ['health']),
  promise('4.2', 'requests.list', 'requests returns a list of requests.', ['requests']),
  gap('4.3', 'submission-body', 'The shape of a run or runsync body.', ['run', 'runsync']),
  gap('4.3', 'job-responses', 'The bodies of the other job operations.', [
    'status',
    'status-sync',
    'stream',
    'cancel',
    'purge-queue',
    'health',
    'requests',
  ]),
  unseenGap('4.3', 'instance-format', 'The format of inst_id.', 'the place where instances are made', ['run']),
];
