/** Part 1 of the documentation: what the service is for. */
import { type Clause, COMPLETING, INFERENCE, section } from './clause.ts';

const { promise, unobservable } = section('1');

export const part1: readonly Clause[] = [
  promise('inference.no-deployment', 'Hosted models answer without anything having been deployed first.', ['chat']),
  promise('inference.drop-in', 'A client written for the chat-completion convention works here unchanged.', INFERENCE),
  promise('inference.operations', 'Models can be listed; chat and text completions can be created.', INFERENCE),
  unobservable(
    'inference.load-balancing',
    'Requests are distributed over several instances without the client doing anything.',
    'a view of which instance served a request',
    INFERENCE,
  ),
  unobservable(
    'inference.failover',
    'An instance that fails is replaced without the client doing anything.',
    'a way to make an instance fail',
    INFERENCE,
  ),
  unobservable(
    'inference.routing',
    'Routing suits clients all over the world.',
    'clients in several regions',
    INFERENCE,
  ),
  unobservable('inference.pay-per-use', 'What is used is what is paid for.', 'the bill of the account', INFERENCE),
  promise('inference.balance', 'An account whose balance is too low is not served.', COMPLETING),
  unobservable(
    'inference.model-families',
    'Models for coding, for reasoning, for speed and for general use are on offer.',
    'a judgement of what each model is good at',
    ['models'],
  ),
  promise('jobs.asynchronous', 'A job can be submitted without waiting: the answer is its id.', ['run']),
  promise('jobs.synchronous', 'A job can be submitted so that the answer is its result.', ['runsync']),
  promise(
    'jobs.operations',
    'Jobs can be checked, streamed and cancelled; a queue can be cleared; health and requests can be seen.',
    ['status', 'status-sync', 'stream', 'cancel', 'purge-queue', 'health', 'requests'],
  ),
];
