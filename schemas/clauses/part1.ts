/** Part 1 of the documentation: what the service is for. */
import { type Clause, promise, unobservable } from './clause.ts';

const INFERENCE = ['models', 'chat', 'completions'] as const;

export const part1: readonly Clause[] = [
  promise('1', 'inference.no-deployment', 'Hosted models answer without anything having been deployed first.', [
    'chat',
  ]),
  promise('1', 'inference.drop-in', 'A client written for the chat-completion convention works here unchanged.', [
    'models',
    'chat',
    'completions',
  ]),
  promise('1', 'inference.operations', 'Models can be listed; chat and text completions can be created.', [
    'models',
    'chat',
    'completions',
  ]),
  unobservable(
    '1',
    'inference.load-balancing',
    'Requests are distributed over several instances without the client doing anything.',
    'a view of which instance served a request',
    INFERENCE,
  ),
  unobservable(
    '1',
    'inference.failover',
    'An instance that fails is replaced without the client doing anything.',
    'a way to make an instance fail',
    INFERENCE,
  ),
  unobservable(
    '1',
    'inference.routing',
    'Routing suits clients all over the world.',
    'clients in several regions',
    INFERENCE,
  ),
  unobservable('1', 'inference.pay-per-use', 'What is used is what is paid for.', 'the bill of the account', INFERENCE),
  promise('1', 'inference.balance', 'An account whose balance is too low is not served.', ['chat', 'completions']),
  unobservable(
    '1',
    'inference.model-families',
    'Models for coding, for reasoning, for speed and for general use are on offer.',
    'a judgement of what each model is good at',
    ['models'],
  ),
  promise('1', 'jobs.asynchronous', 'A job can be submitted without waiting: the answer is its id.', ['run']),
  promise('1', 'jobs.synchronous', 'A job can be submitted so that the answer is its result.', ['runsync']),
  promise(
    '1',
    'jobs.operations',
    'Jobs can be checked, streamed and cancelled; a queue can be cleared; health and requests can be seen.',
    ['status', 'status-sync', 'stream', 'cancel', 'purge-queue', 'health', 'requests'],
  ),
];
