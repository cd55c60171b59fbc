/** Streams of chat and completions, chunk by chunk: one model, one end for each choice, usage that adds up. */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import {
  type Completing,
  choicesOf,
  chunked,
  completed,
  completing,
  streamed,
  textOf,
  withChoices,
} from '../fixtures/completions.ts';
import { chunksOf } from '../reading/events.ts';

const WITH_USAGE = { stream_options: { include_usage: true } };
const MOST_TOKENS = 32;

interface Piece {
  readonly index: unknown;
  readonly text: unknown;
  readonly reason: unknown;
}

/** What each choice of each chunk says, in the order in which it came. */
const piecesOf = (id: Completing, chunks: readonly unknown[]): readonly Piece[] =>
  chunks
    .flatMap(choicesOf)
    .map((one) => ({ index: at(one, 'index'), text: textOf(id, one), reason: at(one, 'finish_reason') }));

const says = ({ text }: Piece): boolean => typeof text === 'string' && text !== '';
const ends = ({ reason }: Piece): boolean => typeof reason === 'string';

/** Text of a choice that comes after its own end. */
function late(pieces: readonly Piece[]): readonly unknown[] {
  const ended = new Set<unknown>();
  return pieces.flatMap((one) => {
    const text = ended.has(one.index) && says(one) ? [one.text] : [];
    if (ends(one)) ended.add(one.index);
    return text;
  });
}

export const checks: readonly CheckDefinition[] = completing.flatMap((id): CheckDefinition[] => [
  {
    id: `${id}.stream.model`,
    title: `All chunks of a ${id} stream name the same model`,
    clauses: ['inference.stream-framing'],
    async run(t) {
      const { chunks } = await chunked(t, id);
      const models = [...new Set(withChoices(chunks).map((one) => at(one, 'model')))];
      t.expect('the model of all chunks', 'the same', show(models), models.length === 1 && models[0] !== undefined);
    },
  },
  {
    id: `${id}.stream.after-finish`,
    title: `A ${id} stream sends no text for a choice after its finish_reason`,
    clauses: ['inference.stream-framing'],
    async run(t) {
      const pieces = piecesOf(id, (await chunked(t, id)).chunks);
      t.precondition('a choice ends', 'a finish reason', 'none in any chunk', pieces.some(ends));
      const after = late(pieces);
      t.expect('text after the finish reason', 'none', show(after), after.length === 0);
    },
  },
  {
    id: `${id}.stream.choices`,
    title: `With n, every chunk of a ${id} stream names its choice, and every choice ends once`,
    clauses: ['inference.stream-framing'],
    async run(t) {
      await chunked(t, id);
      const { chunks } = await chunked(t, id, { n: 2 });
      const pieces = piecesOf(id, chunks);
      const counts = [0, 1].map((index) => {
        const own = pieces.filter((one) => one.index === index);
        return { pieces: own.length, ends: own.filter(ends).length };
      });
      const others = pieces.filter(({ index }) => index !== 0 && index !== 1).map(({ index }) => index);
      // Where the index is lost, both choices seem to be the first, which then ends twice.
      const several = others.length > 0 || counts[1]?.pieces !== 0 || (counts[0]?.ends ?? 0) > 1;
      if (!several) t.notObservable(`${id} that gives several choices (n)`);
      t.expect('indexes other than 0 and 1', 'none', show(others), others.length === 0);
      const once = counts.every((one) => one.ends === 1);
      t.expect(
        'ends of the two choices',
        'one for each choice',
        counts.map((one, index) => `${one.ends} of choice ${index}`).join(', '),
        once,
      );
      const after = late(pieces);
      t.expect('text of a choice after its finish reason', 'none', show(after), after.length === 0);
    },
  },
  {
    id: `${id}.stream.usage-adds-up`,
    title: `The usage of a ${id} stream adds up, stays within max_tokens, and counts the prompt as without stream`,
    clauses: ['inference.stream-usage'],
    async run(t) {
      await chunked(t, id);
      const { reply, stream } = await streamed(t, id, WITH_USAGE);
      t.requireOk(reply);
      const usage = at(chunksOf(stream).at(-1), 'usage');
      const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((key) =>
        at(usage, key),
      );
      const numbers = typeof prompt === 'number' && typeof completion === 'number';
      if (!numbers) t.notObservable(`${id} whose last chunk counts the tokens (stream_options)`);
      const whole = at((await completed(t, id)).json, 'usage', 'prompt_tokens');
      t.expect('tokens of the same prompt', `${show(whole)}, as without stream`, show(prompt), prompt === whole);
      const adds = numbers && prompt + completion === total;
      t.expect('usage', 'prompt and completion tokens add up to the total', show(usage), adds);
      const kept = numbers && prompt > 0 && completion > 0 && completion <= MOST_TOKENS;
      t.expect('its tokens', `1 or more for the prompt, and 1 to ${MOST_TOKENS} for the text`, show(usage), kept);
    },
  },
]);
