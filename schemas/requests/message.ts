/** A message of a conversation. The documentation shows role and content; the rest is what clients send. */
import { nonEmptyText, text } from '../responses/schema.ts';
import { convention, documented, needing, object, optional, where } from './request.ts';

const ROLES = ['user', 'system', 'assistant', 'developer', 'tool', 'function'] as const;

const part = {
  ...object({ type: { enum: ['text', 'image_url', 'input_audio', 'file', 'refusal'] } }),
  allOf: [
    where('type', 'text', object({ text })),
    where('type', 'image_url', object({ image_url: object({ url: text }) })),
    where('type', 'input_audio', needing('input_audio')),
    where('type', 'file', needing('file')),
  ],
};

const toolCall = object({
  id: text,
  type: { const: 'function' },
  function: object({ name: text, arguments: text }),
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
      tool_call_id: convention(nonEmptyText, 'the call that a tool answers.'),
    },
  ),
  allOf: [
    ...['user', 'system', 'developer'].map((role) => where('role', role, said)),
    where('role', 'tool', said),
    where('role', 'tool', needing('tool_call_id')),
    where('role', 'function', needing('name')),
  ],
};
