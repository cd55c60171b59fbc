/** Faults that show only while much is going on at once: mixed answers, wrong ones, none. */
import { json } from '../reply.ts';
import { answers, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import type { Mutant, Plant } from './mutant.ts';

/** So many requests in flight are a crowd to these faults; fewer never show them. */
const CROWD = 20;
const BREAKDOWN_CROWD = 100;
/** More than the contract checks ask for, and less than a load does. */
const SELDOM = 1500;

/** Gives a runsync the result of the one before it while more requests than that are in flight. */
const mixingUpAbove = (most: number): Plant =>
  withMemory(() => {
    let last: unknown = null;
    return (reply, { id, inFlight }) => {
      const record = id === 'runsync' && succeeded(reply) ? bodyOf(reply) : null;
      if (!record) return reply;
      const other = last;
      last = record.output;
      return inFlight > most ? withBody(reply, { ...record, output: other }) : reply;
    };
  });

export const underLoadMutants: readonly Mutant[] = [
  {
    name: 'runsync-mixed-up-in-a-crowd',
    clauses: ['runsync.results'],
    does: `gives synchronous requests each other's results when more than ${CROWD} are in flight`,
    apply: mixingUpAbove(CROWD),
  },
  {
    name: 'status-500-in-a-crowd',
    clauses: ['status.job-status'],
    does: `breaks down on status when more than ${BREAKDOWN_CROWD} requests are in flight`,
    unseen:
      'a breakdown under load makes the check of a limit inconclusive, since it may be the load and not the limit',
    apply: answers((reply, { id, inFlight }) =>
      id === 'status' && inFlight > BREAKDOWN_CROWD ? json(500, { error: 'internal error' }) : reply,
    ),
  },
  {
    name: 'status-empty-now-and-then',
    clauses: ['status.route'],
    does: `answers each ${SELDOM}th successful status with an empty object`,
    warns: ['status.rate.served'],
    apply: withMemory(() => {
      let count = 0;
      return (reply, { id }) => {
        if (id !== 'status' || !succeeded(reply)) return reply;
        count += 1;
        return count % SELDOM === 0 ? withBody(reply, {}) : reply;
      };
    }),
  },
  {
    name: 'status-state-wrong-in-a-crowd',
    clauses: ['status.job-status'],
    does: `says of every job that it is queued when more than ${BREAKDOWN_CROWD} requests are in flight`,
    unseen: 'the requests at once are told apart by their statuses and times, not by their content',
    apply: answers((reply, { id, inFlight }) => {
      const record = id === 'status' && succeeded(reply) && inFlight > BREAKDOWN_CROWD ? bodyOf(reply) : null;
      return record ? withBody(reply, { ...record, status: 'IN_QUEUE' }) : reply;
    }),
  },
];
