/** A message of a conversation. The documentation shows role and content; the rest is what clients send. */
import { anything, nonEmptyText, text } from '../responses/schema.ts';
import { convention, documented, object, optional, where } from './request.ts';

const ROLES = ['user', 'system', 'assistant', 'developer', 'tool', 'function'] as const;

const part = {
  ...object({ type: { enum: ['text', 'image_url', 'input_audio', 'file', 'refusal'] } }),
  allOf: [
    where('type', 'text', object({ text })),
    where('type', 'image_url', object({ image_url: object({ url: text }) })),
    where('type', 'input_audio', object({ input_audio: object({ data: anything, format: anything }) })),
    where('type', 'file', object({ file: object({}) })),
    where('type', 'refusal', object({ refusal: text })),
  ],
};

const toolCall = object({
  id: text,
  type: { const: 'function' },
  function: object({ name: nonEmptyText, arguments: text }),
});

const content = documented(
  { type: ['string', 'array', 'null'], items: part, minItems: 1 },
  'The text of the message. Convention: or a list of parts; null only where an assistant calls tools.',
);

/** A text or parts, and not nothing. */
const said = { required: ['content'], properties: { content: { type: ['string', 'array'] } } };

export const message = {
  ...object(
    { role: documented({ enum: ROLES }, 'Who speaks. The documentation shows user; the others are convention.') },
    {
      content,
      name: convention(optional({ type: 'string' }), 'a name for who speaks.'),
      tool_calls: convention(optional({ type: 'array', items: toolCall }), 'the tools an assistant called.'),
      tool_call_id: convention(optional({ type: 'string' }), 'the call that a tool answers.'),
    },
  ),
  allOf: [
    ...['user', 'system', 'developer', 'tool'].map((role) => where('role', role, said)),
    where('role', 'tool', object({ tool_call_id: nonEmptyText })),
    where('role', 'function', object({ name: nonEmptyText, content: anything })),
  ],
};
