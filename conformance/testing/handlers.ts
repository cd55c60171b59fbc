/**
 * Services on which something else is deployed than what the checks would like. What a handler does with an input is not
 * the service's doing, so none of them breaks a documented clause or a client's convention.
 */
import { type Handler, workloadHandler } from '../../reference/jobs/handler.ts';
import { answers, bodyOf, instead } from '../../reference/mutants/answers.ts';
import { all, type Plant, rules } from '../../reference/mutants/mutant.ts';
import { isObject } from '../../schemas/json.ts';

const WORKERS = 3;

type Does = (input: unknown, sleep: (ms: number) => Promise<void>, deployed: Handler) => ReturnType<Handler>;

const deployed = (does: Does): Plant => rules({ handler: (usual) => (input, sleep) => does(input, sleep, usual) });

/** One that returns at once. */
const returning = (output: (input: unknown) => unknown): Plant =>
  deployed((input, sleep) => workloadHandler({ echo: output(input) }, sleep));

/** The usual one, but for this. */
const knowing = (...fields: readonly string[]): Plant =>
  deployed(async function* (input, sleep, usual) {
    const own = isObject(input)
      ? Object.fromEntries(Object.entries(input).filter(([key]) => fields.includes(key)))
      : input;
    return yield* usual(own, sleep);
  });

/** The same handler, so many milliseconds later for each job: even what it does nothing with looks like work then. */
const later =
  (ms: number, plant: Plant): Plant =>
  (options) => {
    const made = plant(options);
    const handler = (usual: Handler): Handler => {
      const inner = made.rules.handler(usual);
      return async function* (input, sleep) {
        await sleep(ms);
        return yield* inner(input, sleep);
      };
    };
    return rules({ handler })(made);
  };

/** The usual one, after so long. */
const after = (ms: number): Plant => later(ms, (options) => options);

/** One that takes so long for its first jobs, on each of the workers. */
const startingUp = (ms: number): Plant =>
  rules({
    handler: (usual) => {
      let cold = WORKERS;
      return async function* (input, sleep) {
        cold -= 1;
        if (cold >= 0) await sleep(ms);
        return yield* usual(input, sleep);
      };
    },
  });

const NEEDS = "the input needs a field 'prompt'";

function fails(): never {
  throw new Error(NEEDS);
}

const refusing = (id: 'run' | 'runsync'): Plant => instead(id, 422, { detail: NEEDS });

const failsAll = deployed((_, sleep) => workloadHandler({ fail: NEEDS }, sleep));

const handlers: Readonly<Record<string, Plant>> = {
  'takes none of our inputs': (options) => refusing('run')(refusing('runsync')(options)),
  'fails every input': failsAll,
  'fails every input, and runsync says so with 500': all(
    answers((reply, { id }) =>
      id === 'runsync' && bodyOf(reply)?.status === 'FAILED' ? { ...reply, status: 500 } : reply,
    ),
    failsAll,
  ),
  'fails what it does not know': deployed(async function* (input, sleep, usual) {
    if (isObject(input) && Object.keys(input).some((key) => key !== 'echo')) fails();
    return yield* usual(input, sleep);
  }),
  'fails what has an echo': deployed(async function* (input, sleep, usual) {
    if (isObject(input) && 'echo' in input) fails();
    return yield* usual(input, sleep);
  }),
  'returns its input at once': returning((input) => input),
  'knows no delays': knowing('echo', 'chunks', 'chunk_delay_ms', 'fail'),
  'never fails': knowing('echo', 'chunks', 'chunk_delay_ms', 'delay_ms'),
  'streams nothing': knowing('echo', 'delay_ms', 'fail'),
  'streams without delays': knowing('echo', 'delay_ms', 'fail', 'chunks'),
  'returns nothing': returning(() => null),
  'returns an empty object': returning(() => ({})),
  'returns an empty list': returning(() => []),
  'returns an empty text': returning(() => ''),
  'returns false': returning(() => false),
  'returns a text': returning((input) => `you said: ${JSON.stringify(input)}`),
  'returns a number': returning(() => 42),
  'returns the same for all': returning(() => ({ image: 'aGVsbG8=' })),
  'returns its input inside': returning((input) => ({ result: { input }, seconds: 0.1 })),
  'returns a record of its own': returning((input) => ({ id: 'x1', status: 'failed', error: null, output: input })),
  'returns an error of its own': returning(() => ({ error: 'no model is loaded' })),
  'returns what is large': returning((input) => ({ input, more: 'x'.repeat(300_000) })),
  'streams every answer': deployed(async function* (input, sleep, usual) {
    yield 'thinking';
    yield 'writing';
    return yield* usual(input, sleep);
  }),
  'streams its pieces in a moment': deployed(async function* (input) {
    for (const piece of JSON.stringify(input).split(/(?<=,)/)) yield piece;
  }),
  'returns its pieces as a list': deployed(async function* (input, sleep, usual) {
    const all: unknown[] = [];
    const pieces = usual(input, sleep);
    for (let next = await pieces.next(); ; next = await pieces.next()) {
      if (next.done) return all.length === 0 ? next.value : all;
      all.push(next.value);
      yield next.value;
    }
  }),
};

const slow: Readonly<Record<string, Plant>> = {
  'starts up for forty seconds': startingUp(40_000),
  'starts up for three seconds each time': after(3000),
  'starts up for ten seconds each time': after(10_000),
  'takes a minute': after(60_000),
  'takes more than a minute': after(70_000),
  'never ends': deployed((_, sleep) => workloadHandler({ delay_ms: 86_400_000 }, sleep)),
};

/** How many documented checks can't be decided of it. */
const open: Readonly<Record<string, number>> = {
  'takes none of our inputs': 86,
  'fails every input': 47,
  'fails every input, and runsync says so with 500': 50,
  'fails what it does not know': 26,
  'fails what has an echo': 47,
  'returns its input at once': 32,
  'knows no delays': 24,
  'never fails': 5,
  'streams nothing': 6,
  'returns nothing': 49,
  'returns an empty object': 49,
  'returns an empty list': 49,
  'returns an empty text': 49,
  'returns false': 39,
  'returns a text': 32,
  'returns a number': 39,
  'returns the same for all': 39,
  'returns its input inside': 32,
  'returns a record of its own': 32,
  'returns an error of its own': 39,
  'returns what is large': 32,
  'starts up for three seconds each time': 3,
  'starts up for ten seconds each time': 12,
  'takes a minute': 49,
  'takes more than a minute': 54,
  'never ends': 61,
  'streams its pieces in a moment': 48,
};

export const allHandlers = Object.entries({ ...handlers, ...slow }).map(([name, plant]) => ({
  name,
  plant,
  open: open[name] ?? 0,
}));

/** A second is nothing for inference, and longer than the jobs of most checks. */
export const laterHandlers = [700, 1500, 4000].flatMap((ms) =>
  Object.entries(handlers).map(([name, plant]) => ({
    name: `${name}, ${ms} ms later`,
    plant: later(ms, plant),
    open: null,
  })),
);
