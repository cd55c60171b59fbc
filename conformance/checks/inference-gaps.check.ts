/** What interface A leaves open, as this target fills it in: content types, and what answers say. */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import {
  bodyFor,
  choicesOf,
  complete,
  completed,
  completing,
  modelList,
  send,
  streamed,
  textOf,
} from '../fixtures/completions.ts';
import { chunksOf } from '../reading/events.ts';
import { modelIdsOf } from '../reading/models.ts';
import { describe, isOk } from '../target/reply.ts';

/** A catalogue may be long, and each of these costs a token. */
const MOST_ASKED = 3;

const bodies = completing.map(
  (id): CheckDefinition => ({
    id: `${id}.gap.content-type`,
    title: `Response of ${id} to JSON with another content type`,
    clauses: ['gap.inference-request-fields', 'gap.inference-errors'],
    async run(t) {
      await completed(t, id);
      const body = JSON.stringify(bodyFor(t, id));
      const text = { body, headers: { 'content-type': 'text/plain' }, breaks: 'the content type is not JSON' };
      t.note('text/plain', String((await t.inference.call(id, text)).status));
      t.note(
        'the request has no content type',
        String((await t.inference.call(id, { body, breaks: 'the request has no content type' })).status),
      );
    },
  }),
);

const answers = completing.map(
  (id): CheckDefinition => ({
    id: `${id}.gap.answers`,
    title: `Fields of ${id} responses beyond the conventional ones`,
    clauses: [`gap.${id}-response`, 'gap.inference-request-fields'],
    async run(t) {
      const whole = await completed(t, id);
      t.note('the requested model, and the one in the response', show([t.model, at(whole.json, 'model')]));
      const twice = [
        await complete(t, id, { temperature: 0, seed: 7 }),
        await complete(t, id, { temperature: 0, seed: 7 }),
      ];
      const texts = twice.map((one) => textOf(id, choicesOf(one.json)[0]));
      t.note('the same request twice, with temperature 0 and a seed', texts[0] === texts[1] ? 'one text' : 'two texts');
      const { reply, stream } = await streamed(t, id);
      const first = stream.events[0]?.atMs ?? reply.endMs;
      t.note('headers of a stream before its first event', `${Math.round(first - reply.headersMs)} ms`);
      t.note('cache-control of a stream', reply.headers['cache-control'] ?? 'none');
      t.note('content-encoding of a stream', reply.headers['content-encoding'] ?? 'none');
      const chunks = chunksOf(stream);
      t.note('values of created in the chunks', show([...new Set(chunks.map((one) => at(one, 'created')))]));
      const counted = chunks.filter((one) => typeof at(one, 'usage') === 'object' && at(one, 'usage') !== null);
      t.note('chunks with usage that was not requested', String(counted.length));
      const usage = await streamed(t, id, { stream_options: { include_usage: true } });
      const reported = [whole.json, chunksOf(usage.stream).at(-1)].map((one) => at(one, 'usage', 'prompt_tokens'));
      t.note('prompt tokens of the same text, whole and streamed', show(reported));
      const roles = chunks.filter((one) =>
        choicesOf(one).some((choice) => at(choice, 'delta', 'role') === 'assistant'),
      );
      t.note('chunks with a role', `${roles.length} of ${chunks.length}`);
      const { model: _model, ...nameless } = bodyFor(t, id);
      t.note('a body without model', describe(await send(t, id, nameless, { breaks: 'there is no model' })));
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...bodies,
  ...answers,
  {
    id: 'models.gap.chat',
    title: 'Listed models that answer a chat',
    clauses: ['gap.models-response'],
    async run(t) {
      const ids = modelIdsOf((await modelList(t)).json);
      t.precondition('models are listed', 'at least one', 'none', ids.length > 0);
      for (const model of ids.slice(0, MOST_ASKED)) {
        const reply = await complete(t, 'chat', { model });
        t.note(
          `a chat with ${model}`,
          isOk(reply) ? `the response names ${show(at(reply.json, 'model'))}` : describe(reply),
        );
      }
    },
  },
  {
    id: 'completions.gap.options',
    title: 'Effect of logprobs, echo, suffix, best_of and several texts on completions',
    clauses: ['gap.inference-request-fields', 'gap.completions-response'],
    async run(t) {
      await completed(t, 'completions');
      for (const fields of [{ logprobs: 1 }, { echo: true }, { suffix: ' End.' }, { best_of: 2 }, { n: 2 }]) {
        const reply = await complete(t, 'completions', fields);
        t.note(show(fields), isOk(reply) ? show(choicesOf(reply.json)) : describe(reply));
      }
    },
  },
];
