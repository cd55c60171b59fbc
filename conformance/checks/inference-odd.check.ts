/**
 * Bodies of chat and completions that are odd but legal, or wrong in a way without a documented status: serving and
 * refusing are both right. A 5xx is not, and neither is a success without a completion.
 */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { bodyFor, type Completing, completed, completing } from '../fixtures/completions.ts';
import { expectClean } from '../fixtures/refusals.ts';
import type { Reply } from '../target/reply.ts';

/** Deeper than any reader of JSON that calls itself for each level can go, and still a small body. */
const DEEP = 5000;
const JSON_TYPE = { 'content-type': 'application/json' };

type Fields = Readonly<Record<string, unknown>>;

interface Odd {
  readonly aspect: string;
  readonly title: string;
  readonly only?: Completing;
  /** What is wrong with it; absent where it is legal. */
  readonly breaks?: string;
  /** The text of the body. */
  readonly body: (t: CheckContext, id: Completing) => string;
}

const text = (t: CheckContext, id: Completing, more: Fields, said?: string): string =>
  JSON.stringify(bodyFor(t, id, said, more));

/** The body with one more member at its end, written out: for what JSON.stringify can't write. */
const ending = (t: CheckContext, id: Completing, member: string): string =>
  `${text(t, id, {}).slice(0, -1)},${member}}`;

const odd: readonly Odd[] = [
  {
    aspect: 'surrogate',
    title: 'a lone surrogate in the text',
    body: (t, id) => text(t, id, {}).replace('Count', '\\ud83d Count'),
  },
  {
    aspect: 'control-characters',
    title: 'control characters in the text',
    body: (t, id) => text(t, id, {}, `${t.prompt} \u0000\u0007\u001b[0m\u202e`),
  },
  {
    aspect: 'nulls',
    title: 'null for optional fields',
    body: (t, id) => text(t, id, { temperature: null, top_p: null, n: null, stop: null, stream: null, seed: null }),
  },
  {
    aspect: 'nesting',
    title: `an unknown field nested ${DEEP} levels deep`,
    body: (t, id) => ending(t, id, `"x_proofload":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
  },
  {
    aspect: 'twice',
    title: 'a duplicate field',
    body: (t, id) => ending(t, id, '"max_tokens":5'),
  },
  {
    aspect: 'prototype',
    title: 'field names such as __proto__',
    body: (t, id) => ending(t, id, '"__proto__":{"stream":true},"constructor":{"prototype":{"n":9}},"toString":1'),
  },
  {
    aspect: 'huge-number',
    title: 'a number beyond the range of a double',
    body: (t, id) => ending(t, id, '"x_proofload":1e400'),
  },
  {
    aspect: 'wrong-options',
    title: 'options of wrong types',
    breaks: 'temperature, stop and n have the wrong types',
    body: (t, id) => text(t, id, { temperature: 'hot', stop: 7, n: [] }),
  },
  {
    aspect: 'scalar-body',
    title: 'a number as the body',
    breaks: 'the body is a number',
    body: () => '7',
  },
  {
    aspect: 'null-body',
    title: 'null as the body',
    breaks: 'the body is null',
    body: () => 'null',
  },
  {
    aspect: 'byte-order-mark',
    title: 'a byte order mark before the JSON',
    breaks: 'the body begins with a byte order mark',
    body: (t, id) => `\ufeff${text(t, id, {})}`,
  },
  {
    aspect: 'unknown-role',
    title: 'a message with an unknown role',
    only: 'chat',
    breaks: 'the role is unknown',
    body: (t, id) => text(t, id, { messages: [{ role: 'proofload', content: t.prompt }] }),
  },
  {
    aspect: 'tool-result',
    title: 'a conversation with a tool call',
    only: 'chat',
    body: (t, id) => {
      const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
      const messages = [
        ...t.messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: '2' },
      ];
      return text(t, id, { messages });
    },
  },
  {
    aspect: 'empty-prompt',
    title: 'an empty list of prompts',
    only: 'completions',
    breaks: 'there is no prompt in the list',
    body: (t, id) => text(t, id, { prompt: [] }),
  },
  {
    aspect: 'token-prompt',
    title: 'a prompt of token ids',
    only: 'completions',
    body: (t, id) => text(t, id, { prompt: [1, 2, 3] }),
  },
];

function call(t: CheckContext, id: Completing, { body, breaks }: Odd): Promise<Reply> {
  const options = { body: body(t, id), headers: JSON_TYPE, ...(breaks === undefined ? {} : { breaks }) };
  return t.inference.call(id, options);
}

export const checks: readonly CheckDefinition[] = completing.flatMap((id) =>
  odd
    .filter(({ only = id }) => only === id)
    .map(
      (one): CheckDefinition => ({
        id: `${id}.odd.${one.aspect}`,
        title: `${id} never returns 5xx for ${one.title}`,
        clauses: ['inference.no-breakdown'],
        async run(t) {
          await completed(t, id);
          await expectClean(t, id, one.title, () => call(t, id, one));
        },
      }),
    ),
);
