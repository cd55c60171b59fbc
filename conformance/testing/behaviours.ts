/** Services that behave in another way where the documentation is silent: none breaks a documented clause. */
import { body, bodyOf, succeeded, withBody, withMemory } from '../../reference/mutants/answers.ts';
import { all, type Plant, reading, rules, settings } from '../../reference/mutants/mutant.ts';
import { json, type Reply } from '../../reference/reply.ts';
import { at, type JsonObject, listAt } from '../../schemas/json.ts';

const gone = json(404, { error: 'job not found' });
const ofJob: readonly unknown[] = ['status', 'status-sync', 'stream', 'cancel'];

/** Answers of one operation that are kept for a while. */
const kept = (operation: string, ms: number): Plant =>
  withMemory(() => {
    const last = new Map<string, { readonly reply: Reply; readonly atMs: number }>();
    return (reply, { id, clock, caller }) => {
      if (id !== operation || !succeeded(reply)) return reply;
      const before = last.get(caller.instId);
      if (before && clock.now() - before.atMs < ms) return before.reply;
      last.set(caller.instId, { reply, atMs: clock.now() });
      return reply;
    };
  });

/** Jobs that a cancel or a purge has ended are unknown from then on. */
const forgetsCancelled: Plant = withMemory(() => {
  const over = new Set<unknown>();
  return (reply, { id, parameters }) => {
    if (!ofJob.includes(id)) return reply;
    if (over.has(parameters.job_id)) return gone;
    if (id === 'cancel' && bodyOf(reply)?.status === 'CANCELLED') over.add(parameters.job_id);
    return reply;
  };
});

const refusesEnded: Plant = withMemory(() => {
  const over = new Set<unknown>();
  return (reply, { id, parameters }) => {
    if (id !== 'cancel' || !succeeded(reply)) return reply;
    const isOver = over.has(parameters.job_id) || bodyOf(reply)?.status !== 'CANCELLED';
    over.add(parameters.job_id);
    return isOver ? json(409, { error: 'the job has ended' }) : reply;
  };
});

const streamsFromTheBeginning: Plant = withMemory(() => {
  const had = new Map<unknown, readonly unknown[]>();
  return (reply, { id, parameters }) => {
    const body = id === 'stream' && succeeded(reply) ? bodyOf(reply) : null;
    if (body === null || !Array.isArray(body.stream)) return reply;
    const all = [...(had.get(parameters.job_id) ?? []), ...body.stream];
    had.set(parameters.job_id, all);
    return withBody(reply, { ...body, stream: all });
  };
});

/** So few that not all that ended are on it. */
const PAGE = 3;
const oldestOnly: Plant = all(
  settings({ requestsPage: { default: 5000, max: 5000 } }),
  body('requests', (page) => ({ ...page, requests: listAt(page, 'requests').toReversed().slice(0, PAGE) })),
);

const ids = (make: (count: number, fresh: string) => string): Plant => {
  let count = 0;
  return rules({
    jobId(fresh) {
      count += 1;
      return make(count, fresh);
    },
  });
};

/** Requests for completions, read as something else. */
const readAs = (change: (body: JsonObject) => unknown): Plant =>
  all(reading('chat', change), reading('completions', change));

/** Those for which this holds are refused, as those without a text are. */
const refusing = (isStrange: (body: JsonObject) => boolean): Plant =>
  readAs((body) => (isStrange(body) ? { ...body, messages: undefined, prompt: undefined } : body));
const DOCUMENTED = ['model', 'messages', 'prompt'];
const isDocumented = ([key]: [string, unknown]): boolean => DOCUMENTED.includes(key);
const messages = (body: JsonObject): readonly unknown[] => listAt(body, 'messages');

const behaviours: Readonly<Record<string, Plant | { readonly plant: Plant; readonly open: number }>> = {
  'cancel refuses what has ended': refusesEnded,
  'cancelled jobs are unknown': { plant: forgetsCancelled, open: 4 },
  'purged jobs are unknown': settings({ purgedJobs: 'forgotten' }),
  'streams from the beginning': streamsFromTheBeginning,
  'health five seconds old': kept('health', 5000),
  'a list five seconds old': kept('requests', 5000),
  'status-sync that waits for a second': rules({ statusSyncWait: (ms) => Math.min(ms, 1000) }),
  'status-sync that never waits': rules({ statusSyncWait: () => 0 }),
  'runsync that waits for five seconds': rules({ runsyncWait: (ms) => Math.min(ms, 5000) }),
  'ids that count': ids((count) => String(count)),
  'ids with a prefix': ids((_, fresh) => `job_${fresh.replaceAll('-', '')}`),
  'ids in base64': ids((_, fresh) => Buffer.from(fresh).toString('base64')),
  'ids with dots, colons and tildes': ids((_, fresh) => `eu:queue.1~${fresh}`),
  'long ids': ids((_, fresh) => fresh.repeat(6)),
  'keys as Bearer alone': settings({ auth: 'bearer' }),
  'no keys for jobs': settings({ auth: 'none' }),
  'queues measured after insertion': settings({ queueMeasured: 'after' }),
  'binary megabytes': settings({ payloadReading: 'binary' }),
  '400 for what is too large': settings({ oversizeStatus: 400 }),
  'no ttl': settings({ retentionQuery: false }),
  'exceptions as errors': settings({ failureDetail: 'exception' }),
  'a page of the oldest requests': { plant: oldestOnly, open: 3 },
  'a bare list': settings({ requestsShape: 'array' }),
  'a second for each answer': settings({ latencyMs: 1000 }),
  'completions that refuse all but the documented fields': {
    plant: refusing((body) => !Object.entries(body).every(isDocumented)),
    open: 2,
  },
  'completions that ignore all but the documented fields': {
    plant: readAs((body) => Object.fromEntries(Object.entries(body).filter(isDocumented))),
    open: 2,
  },
  'completions that refuse max_tokens': refusing((body) => 'max_tokens' in body),
  'completions without streams': { plant: refusing(({ stream }) => stream === true), open: 2 },
  'chats of users alone': {
    plant: refusing((body) => messages(body).some((one) => at(one, 'role') !== 'user')),
    open: 2,
  },
  'chats of one message': { plant: refusing((body) => messages(body).length > 1), open: 2 },
  'chats of plain texts': refusing((body) => messages(body).some((one) => typeof at(one, 'content') !== 'string')),
  'one prompt at a time': refusing(({ prompt }) => Array.isArray(prompt)),
};

export const allBehaviours = Object.entries(behaviours).map(([name, one]) => ({
  name,
  ...(typeof one === 'function' ? { plant: one, open: 0 } : one),
}));
