/**
 * What real clients depend on although the documentation is silent: the shapes and habits of the chat-completion
 * convention on interface A and of serverless job clients on interface B. A break warns, it doesn't fail the gate.
 */
import { type Clause, convention } from './clause.ts';

const inference: readonly Clause[] = [
  convention('2.5', 'models.envelope', 'The list is an object list whose data are objects with id.', ['models']),
  convention('2.5', 'models.retrieve', 'A single model can be read below models by its id.', ['models']),
  convention('2.5', 'chat.envelope', 'A chat completion has id, object, created, model, choices and usage.', ['chat']),
  convention('2.5', 'chat.finish-reason', 'Every choice says why it ended.', ['chat']),
  convention('2.5', 'chat.usage', 'usage counts prompt, completion and total tokens, and they add up.', ['chat']),
  convention('2.5', 'chat.options', 'max_tokens, n, stop and the sampling fields of the convention are taken.', [
    'chat',
  ]),
  convention('2.5', 'chat.roles', 'The roles system and assistant are taken besides user.', ['chat']),
  convention('2.5', 'chat.unknown-fields', 'A request field that is not known does no harm.', ['chat']),
  convention('2.5', 'completions.envelope', 'A text completion has id, object, created, model, choices and usage.', [
    'completions',
  ]),
  convention('2.5', 'inference.stream-framing', 'With stream, events of JSON chunks come as text/event-stream.', [
    'chat',
    'completions',
  ]),
  convention('2.5', 'inference.stream-end', 'A stream ends with [DONE] and nothing follows.', ['chat', 'completions']),
  convention('2.5', 'inference.stream-incremental', 'A stream is sent while it is made, not at its end.', ['chat']),
  convention('2.5', 'inference.stream-usage', 'With include_usage a last chunk without choices counts the tokens.', [
    'chat',
  ]),
  convention('4.3', 'inference.json', 'Answers of interface A say in Content-Type that they are JSON.', [
    'models',
    'chat',
    'completions',
  ]),
];

const jobs: readonly Clause[] = [
  convention('4.3', 'run.status-200', 'run and runsync answer with exactly 200.', ['run', 'runsync']),
  convention('4.3', 'run.envelope', 'run answers with id and the state IN_QUEUE.', ['run']),
  convention('4.3', 'runsync.envelope', 'runsync answers with id, status and output.', ['runsync']),
  convention('4.3', 'runsync.job', 'A synchronous job has an id too and can be looked up by it.', [
    'runsync',
    'status',
  ]),
  convention('4.3', 'status.envelope', 'A status record has id and status, and output once it is complete.', [
    'status',
    'status-sync',
  ]),
  convention('4.3', 'status.times', 'A complete record has delayTime and executionTime in milliseconds.', ['status']),
  convention('4.3', 'status-sync.waits', 'status-sync holds its answer until the job ends or patience does.', [
    'status-sync',
  ]),
  convention('4.3', 'stream.envelope', 'stream answers with status and a list stream of objects with output.', [
    'stream',
  ]),
  convention('4.3', 'stream.drains', 'Each chunk is delivered once; the first final answer holds all that is left.', [
    'stream',
  ]),
  convention('4.3', 'stream.incremental', 'Chunks can be read while the job runs.', ['stream']),
  convention('4.3', 'cancel.envelope', 'cancel answers with id and the state CANCELLED.', ['cancel']),
  convention('4.3', 'cancel.finished', 'cancel of a job that has ended changes nothing.', ['cancel']),
  convention('4.3', 'purge-queue.envelope', 'purge-queue answers with the number removed and a status.', [
    'purge-queue',
  ]),
  convention('4.3', 'health.envelope', 'health answers with counts of jobs and of workers.', ['health']),
  convention('4.3', 'health.agrees', 'The counts of health follow what happens to jobs.', ['health']),
  convention('4.3', 'requests.envelope', 'requests answers with a list requests of objects with id and status.', [
    'requests',
  ]),
  convention('4.3', 'requests.own', 'A job that was just submitted is listed.', ['requests']),
  convention('4.3', 'jobs.input', 'The body of a submission is an object with input, which the handler gets.', [
    'run',
    'runsync',
  ]),
  convention('4.3', 'jobs.empty-body', 'A POST without a body is taken where there is nothing to send.', [
    'status',
    'status-sync',
    'stream',
    'cancel',
    'purge-queue',
  ]),
  convention('4.3', 'jobs.json', 'Answers of interface B say in Content-Type that they are JSON.', [
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

export const conventions: readonly Clause[] = [...inference, ...jobs];
