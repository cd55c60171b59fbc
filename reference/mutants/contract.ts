/** Faults in what operations do: answers, job lifecycle, streams, keys, retention. */
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import { isFinal } from '../jobs/states.ts';
import { specRules } from '../rules.ts';
import { limitValues, type Mutant, rules } from './mutant.ts';

const MINUTE_MS = 60_000;

const withoutKey = (['models', 'chat', 'completions'] as const).map(
  (open): Mutant => ({
    name: `${open}-without-key`,
    clauses: ['inference.authorization', 'auth.bearer', 'auth.access-key'],
    does: `answers ${open} for anybody`,
    turnsRed: [`${open}.auth.missing`, `${open}.auth.wrong-key`],
    warns: ['wrong-scheme', 'bare-key', 'status'].map((aspect) => `${open}.auth.${aspect}`),
    apply: rules({ needsKey: (id) => id !== open }),
  }),
);

export const contractMutants: readonly Mutant[] = [
  {
    name: 'run-retention-20min',
    clauses: ['run.retention'],
    does: 'forgets a job of run 20 minutes after it finished',
    turnsRed: ['run.retention.guarantee'],
    apply: limitValues({ 'run.retention': 20 * MINUTE_MS }),
  },
  {
    name: 'runsync-retention-30s',
    clauses: ['runsync.retention'],
    does: 'forgets a job of runsync 30 seconds after it finished',
    turnsRed: ['runsync.retention.guarantee'],
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
    warns: ['cancel.state'],
    apply: rules({ cancels: () => false }),
  },
  {
    name: 'cancel-queued-only',
    clauses: ['cancel.cancels'],
    does: 'cancels queued jobs and lets running ones go on',
    turnsRed: ['cancel.running'],
    warns: ['cancel.state'],
    apply: rules({ cancels: (state) => state === 'IN_QUEUE' }),
  },
  ...withoutKey,
  {
    name: 'no-balance-check',
    clauses: ['inference.balance', 'auth.balance'],
    does: 'serves accounts that have no balance',
    turnsRed: ['chat.balance.refused', 'completions.balance.refused'],
    warns: ['chat.balance.status', 'completions.balance.status'],
    apply: (options) => ({
      ...options,
      accessKeys: [...options.accessKeys, ...options.brokeKeys],
      brokeKeys: [],
    }),
  },
  {
    name: 'status-of-another-job',
    clauses: ['jobs.id-in-paths', 'status.job-status'],
    does: 'answers status with the id of another job where there is one',
    turnsRed: ['status.right-job'],
    apply: rules({ statusId: (id, known) => [...known()].find((other) => other !== id) ?? id }),
  },
  {
    name: 'runsync-does-not-wait',
    clauses: ['runsync.results', 'jobs.synchronous'],
    does: 'answers runsync at once, without the result',
    turnsRed: ['runsync.waits'],
    apply: rules({ runsyncWait: () => 0 }),
  },
  {
    name: 'stream-drops-last',
    clauses: ['stream.results', 'stream.drains'],
    does: 'never hands out the last chunk of a stream',
    turnsRed: ['stream.results', 'stream.results.post'],
    warns: ['stream.once'],
    apply: rules({ streamable: (chunks) => Math.max(0, chunks - 1) }),
  },
  {
    name: 'stream-buffered',
    clauses: ['stream.incremental'],
    does: 'hands out chunks only when the job is over',
    turnsRed: [],
    warns: ['stream.incremental'],
    apply: rules({ streamable: (chunks, state) => (isFinal(state) ? chunks : 0) }),
  },
  {
    name: 'health-counts-wrong',
    clauses: ['health.agrees'],
    does: 'reports an idle endpoint whatever it does',
    turnsRed: [],
    warns: ['health.counts-queued', 'health.counts-running'],
    apply: rules({
      health: ({ jobs, workers }) => ({
        jobs: { ...jobs, inProgress: 0, inQueue: 0 },
        workers: { ...workers, idle: workers.idle + workers.running, running: 0 },
      }),
    }),
  },
  {
    name: 'models-without-data',
    clauses: ['models.envelope'],
    does: 'lists models under another name than data',
    turnsRed: [],
    warns: ['models.envelope'],
    apply: rules({ modelList: (models) => ({ object: 'list', models }) }),
  },
  {
    name: 'models-empty',
    clauses: ['models.list'],
    does: 'lists no model although it serves some',
    turnsRed: ['models.list'],
    warns: ['models.envelope'],
    apply: rules({ modelList: () => specRules.modelList([]) }),
  },
  {
    name: 'stream-without-done',
    clauses: ['inference.stream-end'],
    does: 'ends event streams without their terminator',
    turnsRed: [],
    warns: ['chat.stream.end', 'completions.stream.end'],
    apply: rules({ endOfStream: '' }),
  },
];
