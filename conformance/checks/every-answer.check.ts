/**
 * Every response of a run against the contract, whichever check sent the request: one bad response among a thousand
 * shows here even where no check reads its fields. These run after all others; alone they first send something
 * themselves.
 */
import { stateOf } from '../../schemas/job-answer.ts';
import { type DocumentedOperationId, isSubmitting, operation, operations } from '../../schemas/operations.ts';
import { isAboutJob } from '../../schemas/own.ts';
import { rareFaultsText } from '../../schemas/rare-faults.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { canonical } from '../fixtures/canonical.ts';
import { completing, plain, streamed } from '../fixtures/completions.ts';
import { UNKNOWN_INSTANCE, UNKNOWN_JOB } from '../fixtures/known.ts';
import { responsesOf } from '../reading/answer.ts';
import { type OperationLog, type Tally, UNSERVED } from '../target/contract-log.ts';
import type { Reply } from '../target/reply.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A body that is cut off, a job that never was, an instance that isn't there, or no credential. */
function refusedRequest(t: CheckContext, id: DocumentedOperationId): Promise<Reply> {
  const row = operation(id);
  const cut = { body: '{"', headers: JSON_TYPE, breaks: 'the body is cut off' };
  if (id === 'models') return t.inference.models({ auth: 'none', breaks: 'no credential' });
  if (row.interface === 'inference') return t.inference.call(id, cut);
  if (isSubmitting(id)) return t.jobs.call(id, cut);
  if (isAboutJob(row)) return t.jobs.call(id, { jobId: UNKNOWN_JOB });
  return t.jobs.call(id, { instId: UNKNOWN_INSTANCE });
}

const ERRORS = { inference: 'inference.error-envelope', jobs: 'jobs.error-envelope' } as const;

const FEWEST_IDS = 2;
const OLDEST = 20;

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What an operation was answered, with at least one answer in it that shows that it was understood. */
async function understood(t: CheckContext, id: DocumentedOperationId): Promise<OperationLog> {
  // A list may rightly be empty, and then it could as well be what is answered to everything.
  if (id === 'requests') await understood(t, 'health');
  const log = t.target.answers.of(id);
  if (!log.understood)
    t.requireAnswer(id, await t.shared(`every-answer ${id}`, (own) => canonical(own, id), 'precondition'));
  return log;
}

/** All answers of one kind, and the first that breaks the contract, with its exchange. */
function expectAll(t: CheckContext, tally: Tally, what: string, expected: string, among: string): void {
  const { answers, broken, worst, first } = tally;
  if (answers === 0) t.notObservable(`at least one of ${what}`);
  const example = worst?.exchange ?? first;
  if (example) t.evidence.add(example);
  if (worst === null) {
    t.expect(what, expected, `all ${among}`, true);
    return;
  }
  const { method, url } = worst.exchange;
  const observed = t.target.masker.text(`${broken} of ${among} not, first ${method} ${url}: ${worst.words}`);
  t.expectations.push({ what, expected, observed, holds: false, schemaPath: worst.schemaPath });
}

const needsOf = (id: DocumentedOperationId): Pick<CheckDefinition, 'needs'> =>
  id === 'purge-queue' ? { needs: ['dedicated'] } : {};

const documented = operations.flatMap(({ id }): CheckDefinition[] => {
  if (id === 'stream') return [];
  return [
    {
      id: `${id}.answers.documented`,
      title: `Every response of ${id} in this run has the documented content`,
      clauses: [responsesOf[id].documented],
      last: true,
      ...needsOf(id),
      async run(t) {
        const { served } = t.target.answers.of(id);
        // What is refused with 429 throughout may be refused because of other clients.
        if (served.answers > 0 && served.broken === served.answers && served.worst?.exchange.status !== 429)
          return expectAll(t, served, `the responses of ${id}`, 'at least one', many(served.answers, 'request'));
        const { documented: tally } = await understood(t, id);
        const expected = 'the documented content';
        expectAll(t, tally, `the responses of ${id}`, expected, many(tally.answers, 'answer'));
      },
    },
  ];
});

const fields = operations.map(
  ({ id }): CheckDefinition => ({
    id: `${id}.answers.fields`,
    title: `Every response of ${id} in this run has the conventional fields`,
    clauses: responsesOf[id].fields,
    last: true,
    ...needsOf(id),
    async run(t) {
      const { fields: tally } = await understood(t, id);
      expectAll(t, tally, `the responses of ${id}`, 'the conventional fields', many(tally.answers, 'answer'));
    },
  }),
);

const types = operations
  .filter((one) => one.interface === 'jobs')
  .map(
    ({ id }): CheckDefinition => ({
      id: `${id}.answers.json`,
      title: `Every response of ${id} in this run says that it is JSON, and begins as JSON may`,
      clauses: ['jobs.json'],
      last: true,
      ...needsOf(id),
      async run(t) {
        const { types: tally } = await understood(t, id);
        expectAll(t, tally, `the responses of ${id}`, 'application/json', many(tally.answers, 'answer'));
      },
    }),
  );

/** purge-queue is left out: nothing of it is refused within its budget. */
const errors = operations
  .filter(({ id }) => id !== 'purge-queue')
  .map(
    ({ id, interface: on }): CheckDefinition => ({
      id: `${id}.answers.errors`,
      title: `Every error response of ${id} in this run has the conventional form`,
      clauses: [ERRORS[on]],
      last: true,
      async run(t) {
        const { errors: tally } = await understood(t, id);
        if (tally.answers === 0) await refusedRequest(t, id);
        expectAll(
          t,
          tally,
          `the errors of ${id}`,
          'an error in a form that clients read',
          many(tally.answers, 'refusal'),
        );
      },
    }),
  );

const served = operations.map(
  ({ id, interface: side }): CheckDefinition => ({
    id: `${id}.answers.served`,
    title: `No request to ${id} in this run gets a 5xx, and no valid one a 401 or 429`,
    clauses: [`${id}.route`],
    level: 'convention',
    because: 'availability is not documented',
    last: true,
    ...needsOf(id),
    async run(t) {
      // What never has a response that can be read is not served either.
      const known = t.target.answers.of(id);
      const { served: tally } = known.served.worst === null ? await understood(t, id) : known;
      const { answers, broken } = tally;
      const among = `${many(answers, 'request')}${broken === 0 ? rareFaultsText(answers) : ''}`;
      expectAll(t, tally, `requests to ${id}`, `a response other than ${UNSERVED[side].join(', ')} and 5xx`, among);
      const { others, lostWithConnection } = known;
      if (lostWithConnection > 0)
        t.note('lost with a connection that an earlier response had left open', many(lostWithConnection, 'request'));
      // A client that is answered so sends the same again, however often it will be refused.
      if (others.answers > 0)
        expectAll(t, others, `other requests to ${id}`, 'a response other than 5xx', many(others.answers, 'request'));
    },
  }),
);

const unlimited = operations
  .filter((one) => one.interface === 'inference')
  .map(
    ({ id }): CheckDefinition => ({
      id: `${id}.answers.unlimited`,
      title: `No request to ${id} in this run is refused as one too many`,
      clauses: ['inference.concurrency'],
      last: true,
      async run(t) {
        // Only so many at once are too many: there is no limit by the minute or by the day.
        const known = t.target.answers.of(id);
        const { tooMany: tally } = known.tooMany.worst === null ? await understood(t, id) : known;
        expectAll(
          t,
          tally,
          `requests to ${id}, within the limit on requests at once`,
          'no 429',
          many(tally.answers, 'request'),
        );
      },
    }),
  );

const events = completing.map(
  (id): CheckDefinition => ({
    id: `${id}.answers.events`,
    title: `Every stream event of ${id} in this run has the conventional form`,
    clauses: ['inference.stream-framing', 'inference.stream-end'],
    last: true,
    async run(t) {
      const log = await understood(t, id);
      if (log.streams.answers === 0) await streamed(t, id);
      const among = `${many(log.streams.answers, 'stream')} with ${many(log.events, 'event')}`;
      expectAll(t, log.streams, `the streams of ${id}`, 'chunks in a form that clients read, then [DONE]', among);
    },
  }),
);

const ids = completing.map(
  (id): CheckDefinition => ({
    id: `${id}.ids`,
    title: `No two different requests to ${id} in this run get the same id`,
    clauses: [`${id}.envelope`],
    last: true,
    async run(t) {
      const { ids: tally } = t.target.answers.of(id);
      for (const make of [plain, streamed]) if (tally.answers < FEWEST_IDS) await make(t, id);
      const enough = tally.answers >= FEWEST_IDS;
      t.precondition(`ids of ${id}`, 'at least two', `${tally.answers}`, enough);
      expectAll(t, tally, `the ids of ${id}`, 'each for one request', many(tally.answers, 'response'));
    },
  }),
);

/** Whether jobs that were stuck in the queue have left it. Once is enough: no check needs the workers any more. */
async function haveStarted(t: CheckContext): Promise<boolean> {
  const { standstill, config } = t.target;
  const stuck = config.endpoints.flatMap(({ instId }) => standstill.stuck(instId).map((id) => ({ instId, id })));
  // The oldest would be the first.
  for (const { instId, id } of stuck.slice(0, OLDEST)) {
    const { json } = await t.jobs.at(instId).status(id, { insists: true });
    if (['running', 'completed', 'failed'].includes(stateOf(json))) return true;
  }
  return stuck.length === 0;
}

const started: CheckDefinition = {
  id: 'run.answers.started',
  title: 'Queued jobs are started by a worker throughout the run',
  clauses: ['jobs.asynchronous'],
  level: 'convention',
  because: 'how long a job may wait is not documented',
  last: true,
  async run(t) {
    const { first } = (await understood(t, 'run')).documented;
    if (first) t.evidence.add(first);
    t.needWorkers();
    const { words } = t.target.standstill;
    if (words !== null && (await haveStarted(t))) {
      t.inconclusive(`${words}, but some did later`, 'run it on an endpoint with faster workers');
    }
    t.expect('queued jobs', 'some start', words ?? 'some started', words === null);
  },
};

export const checks: readonly CheckDefinition[] = [
  ...documented,
  ...fields,
  ...types,
  ...errors,
  ...served,
  ...unlimited,
  ...events,
  ...ids,
  started,
];
