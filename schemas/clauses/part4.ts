/** Part 4 of the documentation: the operations of both interfaces, their methods and what they return. */
import { operations } from '../operations.ts';
import { type Clause, gap, promise } from './clause.ts';
import { gapsOfJobs } from './part4-gaps.ts';

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
  gap('4.2', 'instance-format', 'The format of inst_id.', ['health']),
  ...gapsOfJobs,
];
