/**
 * The same finished job on every operation that shows it, many times over and with other things going on in between:
 * nothing about it may change any more.
 */
import { isDeepStrictEqual } from 'node:util';
import type { HttpMethod } from '../../schemas/operations.ts';
import { type CheckContext, shared } from '../context.ts';
import { errorOf, jobIdOf, outputOf, stateOf, stateWordOf, timesOf } from '../reading/job.ts';
import { isObject, show } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';
import { type Ending, type Life, lived } from './life.ts';
import { submit } from './submit.ts';

const READINGS = 10;

export interface Telling {
  /** Which operation says it. */
  readonly where: string;
  readonly reply: Reply;
}

export interface Everywhere {
  readonly job: Life;
  /** By status and status-sync, GET and POST, twice each: before anything else, and after all else. */
  readonly routes: readonly Telling[];
  /** By status, again and again, while other jobs come and go and other operations are asked. */
  readonly again: readonly Telling[];
}

const ways: readonly (readonly ['status' | 'status-sync', HttpMethod])[] = [
  ['status', 'GET'],
  ['status', 'POST'],
  ['status-sync', 'GET'],
  ['status-sync', 'POST'],
];

async function routesOf(t: CheckContext, jobId: string): Promise<Telling[]> {
  const told: Telling[] = [];
  for (const [id, method] of ways) {
    told.push({ where: `${method} ${id}`, reply: await t.jobs.call(id, { jobId, method }) });
  }
  return told;
}

/** Looked at everywhere; whether the answers succeeded is for whoever compares them. */
export const everywhere = shared('everywhere', 'ground', async (t, ending: Ending): Promise<Everywhere> => {
  const job = await lived(t, ending);
  const first = await routesOf(t, job.id);
  const again: Telling[] = [];
  for (let reading = 1; reading <= READINGS; reading += 1) {
    if (reading === 3) await submit(t, { echo: t.word() });
    if (reading === 5) await t.jobs.health();
    if (reading === 7) await t.jobs.stream(job.id);
    again.push({ where: `reading ${reading} of status`, reply: await t.jobs.status(job.id) });
  }
  return { job, routes: [...first, ...(await routesOf(t, job.id))], again };
});

/** A part of what is told about a job. */
export type Part = 'id' | 'state' | 'output' | 'error' | 'times';

function stateIn(body: unknown): string | null {
  const state = stateOf(body);
  return state === 'unknown' ? stateWordOf(body) : state;
}

const readers: Readonly<Record<Part, (body: unknown) => unknown>> = {
  id: jobIdOf,
  state: stateIn,
  output: outputOf,
  error: errorOf,
  times: timesOf,
};

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (isObject(value) && Object.values(value).every(isNothing));

/** Times that one of the two leaves out are no contradiction; a state, an output or an error is. */
function agree(part: Part, one: unknown, other: unknown): boolean {
  const [here, there] = [readers[part](one), readers[part](other)];
  if (part !== 'times' || !isObject(here) || !isObject(there)) return isDeepStrictEqual(here, there);
  return Object.keys(here).every((key) => [here[key], there[key]].some(isNothing) || here[key] === there[key]);
}

/**
 * Each telling says of these parts what the standard says; a part that the standard doesn't have is not asked for.
 *
 * @throws Inconclusive when the standard has none of the parts, or an answer is missing: each is asked elsewhere.
 */
export function expectSame(t: CheckContext, standard: Telling, told: readonly Telling[], parts: readonly Part[]): void {
  t.requireOk(standard.reply);
  const body = standard.reply.json;
  const known = parts.filter((part) => !isNothing(readers[part](body)));
  t.ground(`${standard.where} reports ${parts.join(' or ')}`, 'in its job record', show(body), known.length > 0);
  for (const { where, reply } of told) {
    t.requireOk(reply);
    const wrong = known.find((part) => !agree(part, body, reply.json));
    const shown = wrong ? [wrong] : known;
    const value = (from: unknown): string => shown.map((part) => show(readers[part](from))).join(' ');
    t.expect(`${shown.join(', ')} by ${where}`, value(body), value(reply.json), wrong === undefined);
  }
}
