/**
 * The walk through the documentation: each of its sentences, table rows and cells, in its order, with the clauses that
 * say the same. A clause stands here once, in its own section; where a sentence repeats a promise of another section,
 * the row names that clause as well. Tests assert that nothing is left out on either side.
 */
import { clauses } from '../index.ts';

export interface WalkRow {
  /** `0` is the introduction. */
  readonly section: string;
  /** Which sentence, row or cell it is, in a few words. */
  readonly paragraph: string;
  readonly clauses: readonly string[];
  /** Clauses of other sections, or of other rows, that the same words rest on. */
  readonly also: readonly string[];
}

type Step = readonly [paragraph: string, clauses: readonly string[], also?: readonly string[]];

const part1: readonly Step[] = [
  ['models at hand at once', ['inference.no-deployment']],
  ['clients need no change', ['inference.drop-in']],
  ['the three operations of A', ['inference.operations']],
  ['load balancing', ['inference.load-balancing']],
  ['failover', ['inference.failover']],
  ['routing', ['inference.routing']],
  ['paid by use', ['inference.pay-per-use']],
  ['a balance is needed', ['inference.balance']],
  ['families of models', ['inference.model-families']],
  ['jobs submitted in two ways', ['jobs.asynchronous', 'jobs.synchronous']],
  ['the other operations of B', ['jobs.operations']],
];

const part2: Readonly<Record<string, readonly Step[]>> = {
  '2.1': [
    ['row name', ['access-key.name']],
    ['row description', ['access-key.description']],
    ['row key value', ['access-key.shown'], ['auth.bearer']],
    ['made in the settings, by no request', ['access-key.console']],
  ],
  '2.2': [
    ['how a model is named', ['models.identifier']],
    ['where the name is passed', ['inference.model-field']],
    ['list and capabilities', ['models.capabilities'], ['models.list']],
  ],
  '2.3': [
    ['row model', ['chat.model-required'], ['inference.model-field']],
    ['row messages', ['chat.messages-required', 'chat.conversation']],
    ['what the reference request holds', ['chat.request']],
    ['message, row role', ['chat.role-user']],
    ['message, row content', ['chat.content']],
    ['format of the body', ['chat.json']],
  ],
  '2.4': [
    ['the id is unique', ['jobs.id-unique'], ['run.job-id']],
    ['the id in paths', ['jobs.id-in-paths']],
    ['WorkersMax', ['endpoint.workers-max'], ['run.queue', 'runsync.queue']],
  ],
  '2.5': [
    ['open: request fields', ['gap.inference-request-fields']],
    ['open: roles', ['gap.message-roles']],
    ['open: response fields of A', ['gap.models-response', 'gap.chat-response', 'gap.completions-response']],
    ['open: job record and status', ['gap.job-record'], ['gap.status-response', 'gap.status-sync-response']],
  ],
};

const KEPT = ['run.retention', 'runsync.retention'];

const part3: readonly Step[] = [
  ['open: names of states', ['gap.job-states']],
  ['open: moves between states', ['gap.job-moves']],
  ['the only facts of a life', [], [...KEPT, 'purge-queue.clears-queued', 'cancel.cancels']],
];

const part4: Readonly<Record<string, readonly Step[]>> = {
  '4.1': [
    ['row models: method, path, sent', ['models.route']],
    ['row models: returned', ['models.list'], ['models.capabilities']],
    ['row chat: method and path', ['chat.route']],
    ['row chat: sent', [], ['chat.json', 'chat.request']],
    ['row chat: returned', ['chat.completion']],
    ['row completions: method and path', ['completions.route']],
    ['row completions: sent and returned', ['completions.completion']],
    ['all need the header', ['inference.authorization']],
  ],
  '4.2': [
    ['inst_id', ['jobs.instance']],
    ['open: format of inst_id', ['gap.instance-format']],
    ['operation is one of the names', [], ['jobs.operations', 'errors.route']],
    ['job_id', [], ['jobs.id-in-paths', 'run.job-id']],
    ['row run: method and path', ['run.route']],
    ['row run: purpose and returned', ['run.job-id'], ['jobs.asynchronous']],
    ['row runsync: method and path', ['runsync.route']],
    ['row runsync: purpose', [], ['jobs.synchronous', 'gap.runsync-longer']],
    ['row runsync: returned', ['runsync.results']],
    ['row status: methods and path', ['status.route']],
    ['row status: purpose and returned', ['status.job-status', 'status.outputs']],
    ['row status-sync: methods and path', ['status-sync.route']],
    ['row status-sync: purpose and returned', ['status-sync.job-status']],
    ['row stream: methods and path', ['stream.route']],
    ['row stream: purpose and returned', ['stream.results']],
    ['row cancel: method and path', ['cancel.route']],
    ['row cancel: purpose', ['cancel.cancels']],
    ['row cancel: returned', ['cancel.result']],
    ['row purge-queue: method and path', ['purge-queue.route']],
    ['row purge-queue: queued jobs', ['purge-queue.clears-queued']],
    ['row purge-queue: running jobs', ['purge-queue.keeps-running']],
    ['row purge-queue: returned', ['purge-queue.result']],
    ['row health: method and path', ['health.route']],
    ['row health: statistics', ['health.statistics']],
    ['row health: health', ['health.endpoint']],
    ['row requests: method and path', ['requests.route']],
    ['row requests: purpose and returned', ['requests.list']],
  ],
  '4.3': [
    ['open: bodies of run and runsync', ['gap.submission-body', 'gap.submission-fields']],
    ['open: beyond the id and the results', ['gap.run-response', 'gap.runsync-response', 'gap.runsync-longer']],
    ['open: status', ['gap.status-response']],
    ['open: status-sync', ['gap.status-sync-response']],
    ['open: stream', ['gap.stream-response']],
    ['open: cancel', ['gap.cancel-response']],
    ['open: purge-queue', ['gap.purge-queue-response', 'gap.purged-jobs']],
    ['open: health', ['gap.health-response', 'gap.queue-order']],
    ['open: requests', ['gap.requests-response', 'gap.requests-order', 'gap.requests-paging', 'gap.requests-members']],
  ],
};

const part7: readonly Step[] = [
  ['row 429: status, operations and condition', ['run.queue', 'runsync.queue'], ['endpoint.workers-max']],
  ['rule: never otherwise', [], ['run.queue', 'runsync.queue']],
  ['open: whether the new job counts', ['gap.queue-counts-new']],
  ['open: other statuses', ['gap.other-errors', 'gap.inference-errors', 'gap.methods']],
  ['open: error bodies', ['gap.error-body', 'gap.inference-error-body', 'gap.error-headers']],
];

const part8: Readonly<Record<string, readonly Step[]>> = {
  '8.1': [
    ['concurrent requests', ['inference.concurrency']],
    ['daily requests', ['inference.no-daily-limit']],
    ['daily tokens', ['inference.no-token-limit']],
    ['higher limits', ['inference.higher-limits']],
    ['open: payload', ['gap.inference-payload']],
  ],
  '8.2': [
    ...['run', 'runsync'].flatMap((id): Step[] => [
      [`${id}: payload`, [`${id}.payload`]],
      [`${id}: rate`, [`${id}.rate`]],
      [`${id}: concurrent`, [`${id}.concurrency`]],
      [`${id}: availability`, [`${id}.retention`]],
    ]),
    ['status family: payload', ['gap.status-payload']],
    ['status family: rate, shared', ['status.rate']],
    ['status family: concurrent', ['status.concurrency']],
    ['status family: availability, none', ['gap.status-availability']],
    ['cancel: payload, none', ['gap.cancel-payload']],
    ['cancel: rate', ['cancel.rate']],
    ['cancel: concurrent', ['cancel.concurrency']],
    ['cancel: availability, none', ['gap.cancel-availability']],
    ['purge-queue: payload, none', ['gap.purge-queue-payload']],
    ['purge-queue: rate', ['purge-queue.rate']],
    ['open: whose requests count together', ['gap.limit-scope']],
    ['purge-queue: concurrent, none', ['gap.purge-queue-concurrency']],
    ['purge-queue: availability, none', ['gap.purge-queue-availability']],
    ['requests: payload, none', ['gap.requests-payload']],
    ['requests: rate', ['requests.rate']],
    ['requests: concurrent', ['requests.concurrency']],
    ['requests: availability, none', ['gap.requests-availability']],
    ['health has no limit', ['health.unlimited']],
    ['queue limits stand elsewhere', [], ['run.queue', 'runsync.queue']],
  ],
};

const spoken: Readonly<Record<string, readonly Step[]>> = {
  '0': [
    ['interface A and its address', [], ['inference.drop-in', 'versioning.inference']],
    ['interface B and its address', [], ['jobs.instance', 'versioning.jobs']],
    ['no deployment for A', [], ['inference.no-deployment']],
    ['B works on an instance', [], ['jobs.instance']],
  ],
  '1': part1,
  ...part2,
  '3': part3,
  ...part4,
  '5': [
    ['the header of A', ['auth.bearer']],
    ['whose key it is', ['auth.access-key'], ['access-key.console']],
    ['a balance is needed', ['auth.balance'], ['inference.balance']],
    ['open: authentication of B', ['gap.jobs-auth']],
  ],
  '6': [
    ['open: webhooks', ['gap.webhooks']],
    ['open: notifications and other events', ['gap.events']],
  ],
  '7': part7,
  ...part8,
  '9': [
    ['the version in both paths', ['versioning.inference', 'versioning.jobs']],
    ['open: policy', ['gap.version-policy', 'gap.version-deprecation', 'gap.version-compatibility']],
  ],
};

/** What the documentation doesn't say at all, and clients or habit do. */
function unspoken(section: string): Step[] {
  const silent = clauses.filter(
    ({ id, level }) => level === 'convention' || (level === 'observed' && !id.startsWith('gap.')),
  );
  const ids = silent.filter((one) => one.section === section).map((one) => one.id);
  return ids.length > 0 ? [['not said here: what clients need, and habits', ids]] : [];
}

/** The numbers come first among the keys of an object, so the order is made by hand. */
export const sections: readonly string[] = Object.keys(spoken).sort((a, b) => Number(a) - Number(b));

export const walk: readonly WalkRow[] = sections.flatMap((section) =>
  [...(spoken[section] ?? []), ...unspoken(section)].map(([paragraph, own, also = []]) => ({
    section,
    paragraph,
    clauses: own,
    also,
  })),
);
