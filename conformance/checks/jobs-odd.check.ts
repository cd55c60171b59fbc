/**
 * What interface B does with submissions that are odd and not wrong: written down, and not judged but for
 * breakdowns at inputs that are any JSON, and for workers that are lost by them.
 */
import { jobIdOf } from '../../schemas/job-answer.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { quickJob, quickSync } from '../fixtures/quick.ts';
import { adopt, hasEnded, isSettled, poll, type Seen, submit } from '../fixtures/submit.ts';
import { isRefusal } from '../reading/refusal.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const JSON_TYPE = 'application/json';
const DEEP = 500;
/** No answer to a quick job takes that long. */
const PATIENCE_MS = 20_000;

/** A submission as text; `breaks` where its schema has something against it. */
async function send(
  t: CheckContext,
  body: string,
  type: string | null,
  breaks: string | undefined = undefined,
): Promise<Reply> {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
  const reply = await t.jobs.call('run', { body, headers, ...(breaks === undefined ? {} : { breaks }) });
  if (isOk(reply) && jobIdOf(reply.json) !== null) adopt(t, reply);
  return reply;
}

const good = (t: CheckContext): string => JSON.stringify(t.jobs.body({ echo: t.word() }));
/** The same with more behind the input. */
const more = (t: CheckContext, fields: string): string => `${good(t).slice(0, -1)}, ${fields}}`;
const taken = (reply: Reply): string => (isOk(reply) ? `accepted: ${describe(reply)}` : describe(reply));

interface Odd<T> {
  readonly what: string;
  readonly value: T;
  /** The schemas of our own requests have something against it. */
  readonly wrong?: true;
}

const policies: readonly Odd<string>[] = [
  ...[4999, 5000, 5001].map((ms) => ({ what: `executionTimeout ${ms}`, value: `"executionTimeout": ${ms}` })),
  ...[9999, 10_000, 10_001, 604_800_001].map((ms) => ({ what: `ttl ${ms}`, value: `"ttl": ${ms}` })),
  { what: 'executionTimeout is negative', value: '"executionTimeout": -1', wrong: true },
  { what: 'executionTimeout is a string', value: '"executionTimeout": "6000"', wrong: true },
  { what: 'lowPriority false', value: '"lowPriority": false' },
  { what: 'lowPriority is a string', value: '"lowPriority": "yes"', wrong: true },
];

const bodies: readonly Odd<(t: CheckContext) => string>[] = [
  { what: 'input is null', value: () => '{"input": null}' },
  { what: 'input is given twice', value: (t) => more(t, '"input": {"echo": "second"}') },
  { what: 'the body begins with a byte order mark', value: (t) => `\ufeff${good(t)}`, wrong: true },
  { what: 'two documents', value: (t) => `${good(t)}${good(t)}`, wrong: true },
  { what: 'a trailing comma', value: (t) => `${good(t).slice(0, -1)},}`, wrong: true },
  { what: 'NaN', value: () => '{"input": {"echo": NaN}}', wrong: true },
  { what: 'policy is a string', value: (t) => more(t, '"policy": "fast"'), wrong: true },
];

const types: readonly Odd<string | null>[] = [
  { what: 'in upper case', value: 'APPLICATION/JSON' },
  { what: 'text/plain', value: 'text/plain', wrong: true },
  { what: 'a form', value: 'application/x-www-form-urlencoded', wrong: true },
  { what: 'none', value: null, wrong: true },
];

/** Inputs that not every database or language can hold. */
const inputs: readonly (readonly [string, string])[] = [
  ['a NUL', '"a\\u0000b"'],
  ['an unpaired surrogate', '"a\\ud800b"'],
  ['a whole number beyond 53 bits', '9007199254740993'],
  ['a number beyond the range of doubles', '1e400'],
  ['minus zero', '-0'],
  [`lists ${DEEP} deep`, `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`],
];
/** Of an endpoint whose number of workers is not known. */
const USUAL_WORKERS = 3;
const MOST_WORKERS = 5;
/** Behind a job that came after it. */
const LITTLE_MS = 5000;

async function nextJob(t: CheckContext): Promise<Seen> {
  const standsStill = (): boolean => t.target.standstill.isAt(t.endpoint.instId);
  const enough = (seen: Seen): boolean => isSettled(seen) || standsStill();
  return poll(t, await submit(t, { echo: t.word() }), enough, undefined, 'assertion');
}

/** Clients send as input anything that the handler takes, also values that are no object. */
const values = ['null', '""', '"text"', '0', '42', 'true', '[]', '[1, [2]]', '{}'];
const BROKEN = 500;

const waits = ['0', '999', '1000', '1001', '300000', '300001'];
const noWaits = ['-1', 'soon'];

export const checks: readonly CheckDefinition[] = [
  {
    id: 'run.odd.bodies',
    title: 'Response of run to unusual bodies',
    clauses: ['gap.submission-body'],
    async run(t) {
      await quickJob(t);
      for (const { what, value, wrong } of bodies) {
        t.note(what, taken(await send(t, value(t), JSON_TYPE, wrong && what)));
      }
    },
  },
  {
    id: 'run.odd.types',
    title: 'Content types that run accepts',
    clauses: ['gap.submission-body'],
    async run(t) {
      await quickJob(t);
      for (const { what, value, wrong } of types) t.note(what, taken(await send(t, good(t), value, wrong && what)));
    },
  },
  {
    id: 'run.odd.policy',
    title: 'Response of run to a policy with extreme or wrongly typed values',
    clauses: ['gap.submission-fields'],
    async run(t) {
      await quickJob(t);
      for (const { what, value, wrong } of policies) {
        t.note(what, taken(await send(t, more(t, `"policy": {${value}}`), JSON_TYPE, wrong && what)));
      }
    },
  },
  {
    id: 'run.odd.fields',
    title: 'Effect of unknown fields and of an Idempotency-Key on run',
    clauses: ['gap.submission-fields'],
    async run(t) {
      await quickJob(t);
      t.note('an unknown field', taken(await send(t, more(t, '"proofload": true'), JSON_TYPE)));
      const headers = { 'idempotency-key': t.word() };
      const body = t.jobs.body({ echo: t.word() });
      const ids = [];
      for (const _ of [1, 2]) ids.push(jobIdOf((await t.jobs.call('run', { headers }, body)).json));
      t.note('twice with one Idempotency-Key', ids[0] === ids[1] ? 'one job' : 'two jobs');
    },
  },
  {
    id: 'run.odd.inputs',
    title: 'Workers go on after inputs that some JSON implementations cannot represent',
    clauses: ['jobs.asynchronous', 'gap.submission-body'],
    level: 'convention',
    because: 'which inputs a handler has to bear is not documented',
    // The workers that it kills would be missing in later checks.
    last: true,
    async run(t) {
      t.needWorkers();
      const workers = Math.min(t.endpoint.workersMax ?? USUAL_WORKERS, MOST_WORKERS);
      const before = await nextJob(t);
      t.precondition('a quick job before them', 'an end', describe(before.reply), hasEnded(before));
      for (const [what, echo] of inputs) {
        const body = JSON.stringify(t.jobs.body({ echo: 'ECHO' })).replaceAll('"ECHO"', echo);
        const first = await send(t, body, JSON_TYPE);
        // Each may cost a worker.
        for (let sent = 1; sent < workers; sent += 1) await send(t, body, JSON_TYPE);
        const next = await nextJob(t);
        t.expect(`a quick job after ${what}`, 'an end', describe(next.reply), hasEnded(next));
        if (!hasEnded(next)) return;
        const end = isOk(first) ? await poll(t, adopt(t, first), isSettled, LITTLE_MS) : { reply: first };
        t.note(what, describe(end.reply));
      }
    },
  },
  {
    id: 'run.odd.no-breakdown',
    title: 'run accepts any JSON as input or rejects it with 4xx',
    clauses: ['jobs.input'],
    async run(t) {
      await quickJob(t);
      for (const value of values) {
        const body = `{"input": ${value}}`;
        let reply = await send(t, body, JSON_TYPE);
        if (reply.status >= BROKEN) {
          // Twice, with a good one in between: else it may just be overloaded.
          t.requireAnswer('run', await send(t, good(t), JSON_TYPE));
          reply = await send(t, body, JSON_TYPE);
        }
        const clean = isOk(reply) ? jobIdOf(reply.json) !== null : isRefusal(reply);
        t.expect(`run with the input ${value}`, 'a job, or a 4xx', describe(reply), clean);
      }
    },
  },
  {
    id: 'run.odd.ids',
    title: 'Form of job ids: length, and whether they are predictable',
    clauses: ['gap.run-response'],
    async run(t) {
      await quickJob(t);
      const ids: string[] = [];
      while (ids.length < 3) ids.push(adopt(t, await t.jobs.run({ echo: t.word() })).id);
      const [first = '', ...rest] = ids;
      let same = 0;
      while (same < first.length && rest.every((id) => id[same] === first[same])) same += 1;
      t.note('lengths', ids.map((id) => id.length).join(', '));
      t.note('characters that three ids begin with alike', String(same));
      t.note('numbers in a row', String(rest.every((id, index) => Number(id) === Number(first) + index + 1)));
    },
  },
  {
    id: 'runsync.odd.wait',
    title: 'Response of runsync to extreme values of wait',
    clauses: ['gap.runsync-response'],
    async run(t) {
      const { reply } = await quickSync(t, 'precondition');
      t.requireAnswer('runsync', reply);
      for (const wait of [...waits, ...noWaits]) {
        const wrong = noWaits.includes(wait) ? { breaks: 'the query' } : {};
        const options = { query: `wait=${wait}`, timeoutMs: PATIENCE_MS, ...wrong };
        const answer = await t.jobs.runsync({ echo: t.word() }, options);
        t.note(`?wait=${wait}`, taken(answer));
      }
    },
  },
];
