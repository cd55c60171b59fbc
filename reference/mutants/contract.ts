/** Faults in what operations do: answers, job lifecycle, streams, keys, retention. */
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import { isFinal } from '../jobs/states.ts';
import { specRules } from '../rules.ts';
import { limitValues, type Mutant, rules } from './mutant.ts';

const MINUTE_MS = 60_000;

export const contractMutants: readonly Mutant[] = [
  {
    name: 'run-retention-20min',
    clauses: ['run.retention'],
    does: 'forgets a job of run 20 minutes after it finished',
    turnsRed: ['run.retention.available'],
    apply: limitValues({ 'run.retention': 20 * MINUTE_MS }),
  },
  {
    name: 'runsync-retention-30s',
    clauses: ['runsync.retention'],
    does: 'forgets a job of runsync 30 seconds after it finished',
    turnsRed: ['runsync.retention.available'],
    apply: limitValues({ 'runsync.retention': MINUTE_MS / 2 }),
  },
  {
    name: 'purge-kills-running',
    clauses: ['purge-queue.keeps-running'],
    does: 'takes running jobs along when it purges the queue',
    turnsRed: ['purge-queue.keeps-running', PURGE_KEEPS_RUNNING],
    apply: rules({ purges: (state) => !isFinal(state) }),
  },
  {
    name: 'purge-does-nothing',
    clauses: ['purge-queue.clears-queued'],
    does: 'answers a purge and leaves the queue as it is',
    turnsRed: ['purge-queue.clears-queued', PURGE_CLEARS],
    apply: rules({ purges: () => false }),
  },
  {
    name: 'cancel-does-nothing',
    clauses: ['cancel.cancels'],
    does: 'answers that a job is cancelled and lets it go on',
    turnsRed: ['cancel.running', 'cancel.queued'],
    apply: rules({ cancels: () => false }),
  },
  {
    name: 'cancel-queued-only',
    clauses: ['cancel.cancels'],
    does: 'cancels queued jobs and lets running ones go on',
    turnsRed: ['cancel.running'],
    apply: rules({ cancels: (state) => state === 'IN_QUEUE' }),
  },
  {
    name: 'run-without-key',
    clauses: ['run.auth'],
    does: 'takes jobs from anybody',
    turnsRed: ['run.auth'],
    apply: rules({ needsKey: (id) => id !== 'run' }),
  },
  {
    name: 'chat-without-key',
    clauses: ['chat.auth'],
    does: 'answers chats of anybody',
    turnsRed: ['chat.auth'],
    apply: rules({ needsKey: (id) => id !== 'chat' }),
  },
  {
    name: 'no-balance-check',
    clauses: ['inference.balance'],
    does: 'serves accounts that have no balance',
    turnsRed: ['inference.balance'],
    apply: (options) => ({
      ...options,
      accessKeys: [...options.accessKeys, ...options.brokeKeys],
      brokeKeys: [],
    }),
  },
  {
    name: 'status-of-another-job',
    clauses: ['status.id'],
    does: 'answers status with the id of another job where there is one',
    turnsRed: ['status.id'],
    apply: rules({ statusId: (id, known) => [...known()].find((other) => other !== id) ?? id }),
  },
  {
    name: 'runsync-does-not-wait',
    clauses: ['runsync.results'],
    does: 'answers runsync at once, without the result',
    turnsRed: ['runsync.results'],
    apply: rules({ runsyncWait: () => 0 }),
  },
  {
    name: 'stream-drops-last',
    clauses: ['stream.chunks'],
    does: 'never hands out the last chunk of a stream',
    turnsRed: ['stream.chunks'],
    apply: rules({ streamable: (chunks) => Math.max(0, chunks - 1) }),
  },
  {
    name: 'stream-buffered',
    clauses: ['stream.incremental'],
    does: 'hands out chunks only when the job is over',
    turnsRed: ['stream.incremental'],
    apply: rules({ streamable: (chunks, state) => (isFinal(state) ? chunks : 0) }),
  },
  {
    name: 'health-counts-wrong',
    clauses: ['health.statistics'],
    does: 'reports an idle endpoint whatever it does',
    turnsRed: ['health.statistics'],
    apply: rules({
      health: ({ jobs, workers }) => ({
        jobs: { ...jobs, inProgress: 0, inQueue: 0 },
        workers: { ...workers, idle: workers.idle + workers.running, running: 0 },
      }),
    }),
  },
  {
    name: 'models-without-data',
    clauses: ['models.list'],
    does: 'lists models under another name than data',
    turnsRed: ['models.list'],
    apply: rules({ modelList: (models) => ({ object: 'list', models }) }),
  },
  {
    name: 'models-empty',
    clauses: ['models.list'],
    does: 'lists no model although it serves some',
    turnsRed: ['models.list'],
    apply: rules({ modelList: () => specRules.modelList([]) }),
  },
  {
    name: 'stream-without-done',
    clauses: ['chat.stream'],
    does: 'ends event streams without their terminator',
    turnsRed: ['chat.stream.done', 'completions.stream.done'],
    apply: rules({ endOfStream: '' }),
  },
];
