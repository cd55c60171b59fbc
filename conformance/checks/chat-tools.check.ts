/** chat: tool calls, whole and in a stream, of models that make them; and a form for the answer. */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { ask, choicesOf, completed, textOf } from '../flows/completions.ts';
import { expectClean } from '../flows/refusals.ts';
import { chunksOf, readEvents } from '../reading/events.ts';
import { at, isObject, show } from '../reading/json.ts';
import { isOk, parseJson, type Reply } from '../target/reply.ts';

const NAME = 'report_count';

const OFFERED = {
  tools: [
    {
      type: 'function',
      function: {
        name: NAME,
        description: 'Reports how far the counting went.',
        parameters: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      },
    },
  ],
  tool_choice: 'required',
  max_tokens: 64,
};

/** A call as clients put it together. */
interface Called {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

/** That a model writes JSON where it should is its own art, so only the whole of it can be the ground for its parts. */
const isReadable = ({ arguments: given }: Called): boolean => typeof given === 'string' && isObject(parseJson(given));

function expectCall(t: CheckContext, { id, name, arguments: given }: Called): void {
  t.expect('its id', 'a string', show(id), typeof id === 'string' && id !== '');
  t.expect('the function that is called', NAME, show(name), name === NAME);
  t.expect('the arguments of the call', 'a text', show(given), typeof given === 'string' && given !== '');
}

/** The tool call of an answer that is no stream. */
async function wholeCall(t: CheckContext): Promise<Called> {
  await completed(t, 'chat');
  const reply = await t.once('tool-call', (own) => ask(own, 'chat', OFFERED));
  const [choice] = choicesOf(reply.json);
  const calls = listAt(choice, 'message', 'tool_calls');
  requireCalls(t, reply, calls.length, at(choice, 'finish_reason'));
  return called(calls[0]);
}

/**
 * Many models call no tools, and their services say so or answer without: then there is nothing to look at. An answer that
 * says it ended with tool calls has some.
 */
function requireCalls(t: CheckContext, reply: Reply, calls: number, reason: unknown): void {
  if (reason === 'tool_calls')
    t.expect('tool calls where the finish reason names them', 'at least 1', `${calls}`, calls > 0);
  t.ground(
    'the model calls the offered tool',
    'a complete tool call',
    `status ${reply.status}, ${calls} calls, finish reason ${show(reason)}`,
    isOk(reply) && calls > 0 && reason !== 'length',
    'give a model that calls tools (--model)',
  );
}

const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

const called = (one: unknown): Called => ({
  id: at(one, 'id'),
  name: at(one, 'function', 'name'),
  arguments: at(one, 'function', 'arguments'),
});

/** The first call of a stream: id and name with its first piece, the arguments from all of them. */
function streamedCall(pieces: readonly unknown[]): Called {
  const own = pieces.filter((one) => at(one, 'index') === at(pieces[0], 'index')).map(called);
  const parts = own.map((one) => one.arguments).filter((one) => typeof one === 'string');
  return { id: own[0]?.id, name: own[0]?.name, arguments: parts.join('') };
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'chat.tools.taken',
    title: 'chat never returns 5xx for a request with tools',
    clauses: ['inference.no-breakdown'],
    async run(t) {
      await completed(t, 'chat');
      await expectClean(t, 'chat', 'a chat with a tool', () => ask(t, 'chat', OFFERED));
    },
  },
  {
    id: 'chat.tools.call',
    title: 'A tool call has an id, the function name and JSON arguments',
    clauses: ['chat.tool-calls'],
    run: async (t) => expectCall(t, await wholeCall(t)),
  },
  {
    id: 'chat.tools.stream',
    title: 'A streamed tool call starts with id and name, and its chunks add up to the arguments',
    clauses: ['chat.tool-calls'],
    async run(t) {
      const whole = await wholeCall(t);
      const reply = await ask(t, 'chat', { ...OFFERED, stream: true });
      const choices = chunksOf(readEvents(reply.pieces)).flatMap(choicesOf);
      const pieces = choices.flatMap((one) => listAt(one, 'delta', 'tool_calls'));
      const reason = choices.map((one) => at(one, 'finish_reason')).find((one) => typeof one === 'string');
      requireCalls(t, reply, pieces.length, reason);
      const call = streamedCall(pieces);
      expectCall(t, call);
      t.ground('the arguments of the tool call are JSON', 'an object', show(whole.arguments), isReadable(whole));
      t.expect('the joined pieces of the arguments', 'a JSON object', show(call.arguments), isReadable(call));
    },
  },
  {
    id: 'chat.gap.format',
    title: 'Effect of response_format and logprobs on chat',
    clauses: ['gap.inference-request-fields', 'gap.chat-response'],
    async run(t) {
      await completed(t, 'chat');
      const format = { response_format: { type: 'json_object' }, max_tokens: 64 };
      const messages = [{ role: 'user', content: 'Say {"count": 1} as JSON.' }];
      const formed = await ask(t, 'chat', { ...format, messages });
      const text = textOf('chat', choicesOf(formed.json)[0]);
      t.note('response_format json_object', `status ${formed.status}, the text ${show(text)}`);
      const likely = await ask(t, 'chat', { logprobs: true, top_logprobs: 1, max_tokens: 1 });
      t.note('logprobs', `status ${likely.status}, ${show(at(likely.json, 'choices', 0, 'logprobs'))}`);
      const both = await ask(t, 'chat', { max_tokens: null, max_completion_tokens: 2 });
      t.note('max_completion_tokens of 2', show(at(both.json, 'usage', 'completion_tokens')));
    },
  },
];
