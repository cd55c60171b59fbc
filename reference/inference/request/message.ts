/** A message of a conversation: what each role must and may say. */

const text = { type: 'string' };
const nonEmpty = { type: 'string', minLength: 1 };

/** One kind of value of the field `type`, and what it then has. */
const kind = (type: string, required: readonly string[], properties: object = {}): object => ({
  if: { required: ['type'], properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: { required, properties },
});

const parts = {
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['text', 'image_url', 'input_audio', 'file', 'refusal'] } },
  allOf: [
    kind('text', ['text'], { text }),
    kind('image_url', ['image_url'], { image_url: { type: 'object', required: ['url'], properties: { url: text } } }),
    kind('input_audio', ['input_audio'], { input_audio: { type: 'object', required: ['data', 'format'] } }),
    kind('file', ['file'], { file: { type: 'object' } }),
    kind('refusal', ['refusal'], { refusal: text }),
  ],
};

const calledTool = {
  type: 'object',
  required: ['id', 'type', 'function'],
  properties: {
    id: text,
    type: { const: 'function' },
    function: { type: 'object', required: ['name', 'arguments'], properties: { name: nonEmpty, arguments: text } },
  },
};

const role = (names: readonly string[], rules: object): object => ({
  if: { required: ['role'], properties: { role: { enum: names } } },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: rules,
});

const said = { required: ['content'], properties: { content: { type: ['string', 'array'] } } };

export const messageSchema = {
  type: 'object',
  required: ['role'],
  properties: {
    role: { enum: ['developer', 'system', 'user', 'assistant', 'tool', 'function'] },
    content: { type: ['string', 'array', 'null'], items: parts, minItems: 1 },
    name: { type: ['string', 'null'] },
  },
  allOf: [
    role(['developer', 'system', 'user', 'tool'], said),
    role(['tool'], { required: ['tool_call_id'], properties: { tool_call_id: nonEmpty } }),
    role(['function'], { required: ['name', 'content'], properties: { name: nonEmpty } }),
    // An assistant's message may have no content: it may hold tool calls instead.
    role(['assistant'], { properties: { tool_calls: { type: ['array', 'null'], items: calledTool } } }),
  ],
};

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: unknown }[] | null;
  readonly tool_calls?: readonly object[] | null;
}

/** What a message says, as plain text; parts that are no text say nothing. */
export function textOfMessage({ content, tool_calls: calls }: ChatMessage): string {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map((part) => part.text);
  const called = calls && calls.length > 0 ? [JSON.stringify(calls)] : [];
  return [...parts, ...called].filter((one) => typeof one === 'string').join('\n');
}
