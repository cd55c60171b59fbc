/**
 * Whether what is put into a job comes out of it as it was. Only a handler that gives back any JSON can show it, and
 * where in its output the echo stands is the handler's affair: both are found out first, with a value that nothing
 * should find hard.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../context.ts';
import { outputOf, stateOf } from '../reading/job.ts';
import { at, isObject, mentions, show } from '../reading/json.ts';
import { mentionsRun, withoutSent } from '../reading/ours.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { quickJob } from './quick.ts';
import { adopt, finish } from './submit.ts';

export type Submission = 'run' | 'runsync';
type Path = readonly (string | number)[];

/** The same value as it is after a trip through JSON, so that only the target's doing can differ. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Where in a value this very value stands, or null. */
export function placeOf(value: unknown, wanted: unknown, path: Path = []): Path | null {
  if (isDeepStrictEqual(value, wanted)) return path;
  const inside: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((one, index) => [index, one])
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, one] of inside) {
    const found = placeOf(one, wanted, [...path, key]);
    if (found) return found;
  }
  return null;
}

/** The last record of a job that was given this to echo; for a refused submission its answer. */
async function ended(t: CheckContext, by: Submission, echo: unknown): Promise<Reply> {
  const reply = await t.jobs[by]({ echo });
  if (!isOk(reply)) return reply;
  if (by === 'run') return (await finish(t, adopt(t, reply))).reply;
  const state = stateOf(reply.json);
  if (state === 'queued' || state === 'running') {
    t.inconclusive(`runsync did not wait for its job: ${describe(reply)}`, 'see runsync.results');
  }
  return reply;
}

/** @throws Inconclusive where the handler does not give back a plain object of texts as it was. */
async function echoPlace(t: CheckContext): Promise<Path> {
  await quickJob(t);
  const plain = { text: t.word(), list: ['one', 'two'] };
  const make = async (own: CheckContext): Promise<Path | null> => {
    const { json } = await ended(own, 'run', plain);
    const output = outputOf(json);
    if (mentionsRun(output, t.target.runId) && !mentions(output, plain.text)) {
      t.inconclusive('a job returned the input of another job', 'see run.outputs-apart');
    }
    return placeOf(withoutSent(json), plain);
  };
  const place = await t.once('echo-place', make, 'ground');
  if (place) return place;
  return t.inconclusive(
    'the deployed handler does not return a JSON object unchanged',
    'deploy a handler that returns input.echo, whatever JSON it is',
  );
}

/** What stands at that place; an answer with fewer layers around its output, or another name for it, may hold it too. */
function outputAt(json: unknown, place: Path, wanted: unknown): unknown {
  const whole = at(json, ...place);
  if (whole !== undefined) return whole;
  const inner = [...place.keys()].map((index) => place.slice(index + 1));
  const others = [json, outputOf(json)].flatMap((root) => inner.map((path) => at(root, ...path)));
  return others.find((one) => isDeepStrictEqual(one, wanted)) ?? outputOf(json);
}

const BAD = [400, 422];

/** A job with this value to echo puts the same value out; `mayRefuse`: a good service may also turn it away. */
export async function expectUnchanged(
  t: CheckContext,
  by: Submission,
  value: unknown,
  mayRefuse: boolean,
): Promise<void> {
  const place = await echoPlace(t);
  const wanted = asSent(value);
  const reply = await ended(t, by, wanted);
  const what = `the output of ${by}`;
  if (mayRefuse && BAD.includes(reply.status)) {
    t.note(what, `none, since the request was rejected: ${describe(reply)}`);
    return;
  }
  t.requireOk(reply, 'finding');
  const output = outputAt(reply.json, place, wanted);
  const observed = output === undefined ? describe(reply) : show(output);
  t.expect(what, show(wanted), observed, isDeepStrictEqual(output, wanted));
}
