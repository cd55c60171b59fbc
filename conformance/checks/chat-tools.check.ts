/** chat: tool calls, whole and in a stream, of models that make them; and a form for the answer. */
import { at, isObject, listAt, parseJson, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { atMost, choicesOf, complete, completed, textOf } from '../fixtures/completions.ts';
import { expectClean } from '../fixtures/refusals.ts';
import { chunksOf, readEvents } from '../reading/events.ts';
import type { Reply } from '../target/reply.ts';

const NAMES = ['report_count', 'report_colour'];

const tool = (name: string) => ({
  type: 'function',
  function: {
    name,
    description: 'Takes down one number.',
    parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  },
});

/** Two tools, since the pieces of several calls come in one stream. A model may still call one alone. */
const offered = (t: CheckContext) => ({
  messages: [{ role: 'user', content: `Call each of the tools ${NAMES.join(' and ')} once, with the number 7.` }],
  tools: NAMES.map(tool),
  tool_choice: 'required',
  ...atMost(t, 128),
});

/** A call as clients put it together. */
interface Called {
  readonly id: unknown;
  readonly type: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

/**
 * Whether a model writes valid JSON is up to the model, so the JSON as a whole is only a precondition for checks on its
 * parts.
 */
const isReadable = ({ arguments: given }: Called): boolean => typeof given === 'string' && isObject(parseJson(given));

function expectCalls(t: CheckContext, calls: readonly Called[]): void {
  for (const { id, type, name, arguments: given } of calls) {
    t.expect('its id', 'a string', show(id), typeof id === 'string' && id !== '');
    t.expect('its type', 'function', show(type), type === 'function');
    t.expect('the function that is called', NAMES.join(' or '), show(name), NAMES.includes(String(name)));
    t.expect('the arguments of the call', 'a text', show(given), typeof given === 'string' && given !== '');
  }
  const ids = calls.map(({ id }) => id);
  t.expect('the ids of the calls', 'all different', show(ids), new Set(ids).size === ids.length);
}

/** The tool calls of an answer that is no stream. */
async function wholeCalls(t: CheckContext): Promise<readonly Called[]> {
  await completed(t, 'chat');
  const reply = await t.shared('tool-calls', (own) => complete(own, 'chat', offered(own)));
  const [choice] = choicesOf(reply.json);
  const calls = listAt(choice, 'message', 'tool_calls');
  requireCalls(t, reply, calls.length, at(choice, 'finish_reason'));
  return calls.map(called);
}

/**
 * Many models call no tools, and their services say so or respond without: then there is nothing to check. A response
 * that ended with tool calls has some.
 */
function requireCalls(t: CheckContext, reply: Reply, calls: number, reason: unknown): void {
  if (reason === 'tool_calls')
    t.expect('tool calls where the finish reason names them', 'at least 1', `${calls}`, calls > 0);
  const needs = 'a model that calls tools (--model)';
  t.requireTaken(reply, needs);
  if (calls === 0) t.notObservable(needs);
  t.precondition('a complete tool call', 'another finish reason', show(reason), reason !== 'length');
}

const called = (one: unknown): Called => ({
  id: at(one, 'id'),
  type: at(one, 'type'),
  name: at(one, 'function', 'name'),
  arguments: at(one, 'function', 'arguments'),
});

/**
 * The calls of a stream, distinguished by their index: id and name with the first piece of each, the arguments from
 * all.
 */
function streamedCalls(pieces: readonly unknown[]): readonly Called[] {
  const indexes = [...new Set(pieces.map((one) => at(one, 'index')))];
  return indexes.map((index) => {
    const own = pieces.filter((one) => at(one, 'index') === index).map(called);
    const parts = own.map((one) => one.arguments).filter((one) => typeof one === 'string');
    const [first] = own;
    // Where it is left out it goes without saying.
    return { id: first?.id, type: first?.type ?? 'function', name: first?.name, arguments: parts.join('') };
  });
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'chat.tools.taken',
    title: 'chat never returns 5xx for a request with tools',
    clauses: ['inference.no-breakdown'],
    async run(t) {
      await completed(t, 'chat');
      await expectClean(t, 'chat', 'a chat with tools', () => complete(t, 'chat', offered(t)));
    },
  },
  {
    id: 'chat.tools.call',
    title: 'A tool call has an id of its own, the function name and JSON arguments',
    clauses: ['chat.tool-calls'],
    run: async (t) => expectCalls(t, await wholeCalls(t)),
  },
  {
    id: 'chat.tools.stream',
    title: 'A streamed tool call starts with id and name, and its chunks add up to its arguments',
    clauses: ['chat.tool-calls'],
    async run(t) {
      const whole = await wholeCalls(t);
      const reply = await complete(t, 'chat', { ...offered(t), stream: true });
      const choices = chunksOf(readEvents(reply.pieces)).flatMap(choicesOf);
      const pieces = choices.flatMap((one) => listAt(one, 'delta', 'tool_calls'));
      const reason = choices.map((one) => at(one, 'finish_reason')).find((one) => typeof one === 'string');
      requireCalls(t, reply, pieces.length, reason);
      const calls = streamedCalls(pieces);
      expectCalls(t, calls);
      const [given, joined] = [whole, calls].map((list) => list.map((one) => one.arguments));
      t.precondition('the arguments of the tool calls are JSON', 'objects', show(given), whole.every(isReadable));
      t.expect('the joined pieces of the arguments', 'JSON objects', show(joined), calls.every(isReadable));
    },
  },
  {
    id: 'chat.gap.format',
    title: 'Effect of response_format and max_completion_tokens on chat',
    clauses: ['gap.inference-request-fields', 'gap.chat-response'],
    async run(t) {
      await completed(t, 'chat');
      const format = { response_format: { type: 'json_object' }, ...atMost(t, 64) };
      const messages = [{ role: 'user', content: 'Say {"count": 1} as JSON.' }];
      const formed = await complete(t, 'chat', { ...format, messages });
      const text = textOf('chat', choicesOf(formed.json)[0]);
      t.note('response_format json_object', `status ${formed.status}, the text ${show(text)}`);
      const both = await complete(t, 'chat', { max_tokens: null, max_completion_tokens: 2 });
      t.note('max_completion_tokens of 2', show(at(both.json, 'usage', 'completion_tokens')));
    },
  },
];
