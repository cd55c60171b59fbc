/** Many requests to interface A at the same time: each gets the answer to its own, and no stream gets pieces of another. */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import {
  atMost,
  bodyFor,
  type Completing,
  choicesOf,
  completed,
  completing,
  SENTENCE,
  send,
  tokensIn,
} from '../fixtures/completions.ts';
import { chunksOf, DONE, readEvents } from '../reading/events.ts';
import type { Reply } from '../target/reply.ts';

const AT_ONCE = 20;
const STREAMS_AT_ONCE = 8;
/** Far apart by any way to count tokens. */
const LENGTHS = [1, 12];

interface SentRequest {
  readonly sentences: number;
  readonly most: number;
}

/** Every second prompt is long; every third one may have one token only. */
const requestsFor = (count: number): readonly SentRequest[] =>
  Array.from({ length: count }, (_, at) => ({ sentences: LENGTHS[at % 2] ?? 1, most: at % 3 === 0 ? 1 : 8 }));

const bodyOf = (t: CheckContext, id: Completing, { sentences, most }: SentRequest) =>
  bodyFor(t, id, SENTENCE.repeat(sentences), atMost(t, most));

/** What one request alone shows about all responses: how long each prompt is, and whether bounds are kept. */
async function alone(t: CheckContext, id: Completing): Promise<{ readonly border: number; readonly bounded: boolean }> {
  const counts: number[] = [];
  let bounded = true;
  for (const sentences of LENGTHS) {
    const reply = await send(t, id, bodyOf(t, id, { sentences, most: 1 }));
    t.requireAnswer(id, reply);
    const count = tokensIn(reply.json, 'prompt_tokens');
    if (!(count > 0)) t.notObservable(`${id} that counts the tokens of a prompt (usage)`);
    bounded &&= tokensIn(reply.json, 'completion_tokens') <= 1;
    counts.push(count);
  }
  const [short = 0, long = 0] = counts;
  t.precondition('a longer prompt counts more tokens', 'more', show(counts), long > short);
  return { border: (short + long) / 2, bounded };
}

function expectDifferent(t: CheckContext, what: string, ids: readonly unknown[]): void {
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  t.expect(
    what,
    'all different',
    twice.length > 0 ? `more than once: ${show(twice)}` : 'all different',
    twice.length === 0,
  );
}

const answered = (t: CheckContext, id: Completing, replies: readonly Reply[]): void => {
  for (const reply of replies) t.requireAnswer(id, reply);
};

export const checks: readonly CheckDefinition[] = completing.flatMap((id): CheckDefinition[] => [
  {
    id: `${id}.at-once`,
    title: `Each of ${AT_ONCE} concurrent requests to ${id} gets the response to its own request`,
    clauses: [`${id}.completion`, 'inference.own-answer'],
    async run(t) {
      await completed(t, id);
      const { border, bounded } = await alone(t, id);
      const requested = requestsFor(AT_ONCE);
      const replies = await Promise.all(requested.map((one) => send(t, id, bodyOf(t, id, one))));
      answered(t, id, replies);
      const foreign = requested.flatMap(({ sentences, most }, index) => {
        const body = replies[index]?.json;
        const isLong = tokensIn(body, 'prompt_tokens') > border;
        const isWithin = !bounded || tokensIn(body, 'completion_tokens') <= most;
        return isLong === sentences > 1 && isWithin
          ? []
          : [`${sentences} sentences and ${most} tokens: ${show(at(body, 'usage'))}`];
      });
      const observed = foreign[0] ?? 'all of them';
      t.expect('usage', 'the tokens of its own request', observed, foreign.length === 0);
    },
  },
  {
    id: `${id}.stream.at-once`,
    title: `Each of ${STREAMS_AT_ONCE} concurrent ${id} streams is complete and has no chunk of another`,
    clauses: ['inference.own-answer'],
    async run(t) {
      await completed(t, id);
      const stream = async () => {
        const reply = await send(t, id, bodyFor(t, id, t.prompt, { stream: true }));
        t.requireOk(reply);
        const reported = readEvents(reply.pieces);
        const chunks = chunksOf(reported);
        const ends = chunks.flatMap(choicesOf).filter((one) => typeof at(one, 'finish_reason') === 'string').length;
        const done = reported.events.filter((one) => one.data.trim() === DONE).length;
        return { ids: [...new Set(chunks.map((one) => at(one, 'id')))], ends, done };
      };
      const alike = await stream();
      const single = alike.ids.length === 1 && alike.ends === 1 && alike.done === 1;
      t.precondition('a single stream is complete', 'one id, one finish reason and one [DONE]', show(alike), single);
      const streams = await Promise.all(Array.from({ length: STREAMS_AT_ONCE }, () => stream()));
      const mixed = streams.filter((one) => one.ids.length !== 1 || one.ends !== 1 || one.done !== 1);
      const observed = mixed.length > 0 ? show(mixed[0]) : 'all of them';
      t.expect('each stream', 'one id, one finish reason and one [DONE]', observed, mixed.length === 0);
      expectDifferent(
        t,
        'the ids of the streams',
        streams.flatMap((one) => one.ids),
      );
    },
  },
]);
