/** Faults in what chat and completions make of bodies: taken although wrong, refused although right, or broken by them. */
import { inferenceError, Refusal } from '../errors.ts';
import type { ReferenceOptions } from '../options.ts';
import { statusWhere } from './answers.ts';
import { all, isObject, type Mutant, type Plant, reading } from './mutant.ts';

const BOTH = ['chat', 'completions'] as const;
type Fields = Readonly<Record<string, unknown>>;

/** The answer of a service that fell over. */
const broken = (): Refusal => new Refusal(inferenceError(500, { message: 'Internal error.', type: 'server_error' }));

/** Falls over at some bodies of some operations. */
function breaksAt(ids: readonly (typeof BOTH)[number][], meant: (body: Fields) => boolean): Plant {
  const plants = ids.map((id) =>
    reading(id, (body) => {
      if (meant(body)) throw broken();
      return body;
    }),
  );
  return all(...plants);
}

const holds = (body: Fields, pattern: RegExp): boolean => pattern.test(String(textOf(body)));

/** What is said, of a conversation or a prompt. */
function textOf({ messages, prompt }: Fields): unknown {
  const first = Array.isArray(messages) ? messages[0] : undefined;
  return isObject(first) ? first.content : prompt;
}

const isMessage = (one: unknown): boolean =>
  isObject(one) && typeof one.role === 'string' && typeof one.content !== 'number' && !isObject(one.content);

/** Puts something that can be served in the place of what can't. */
const repaired =
  (options: ReferenceOptions) =>
  (body: Fields): Fields => {
    const { model, messages, prompt, max_tokens: most } = body;
    const named = typeof model === 'number' ? { model: options.models[0]?.id } : {};
    const said = [{ role: 'user', content: 'Hello.' }];
    const wrongMessages = 'messages' in body && !(Array.isArray(messages) && messages.every(isMessage));
    const wrongPrompt = isObject(prompt) || prompt === true;
    return {
      ...body,
      ...named,
      ...(wrongMessages ? { messages: said } : {}),
      ...(wrongPrompt ? { prompt: 'Hello.' } : {}),
      ...(typeof most === 'string' ? { max_tokens: 1 } : {}),
    };
  };

const refusedOptions = (
  [
    ['temperature', ['temperature']],
    ['top-p', ['top_p']],
    ['stop', ['stop']],
    ['penalties', ['presence_penalty', 'frequency_penalty']],
    ['seed', ['seed']],
    ['user', ['user']],
    ['unknown', ['x_proofload_unknown']],
  ] as const
).map(
  ([option, fields]): Mutant => ({
    name: `completions-${option}-refused`,
    clauses: ['completions.options'],
    does: `refuses completions with ${fields.join(' or ')}`,
    apply: reading('completions', (body) =>
      fields.some((field) => field in body) ? { ...body, prompt: { wrong: true } } : body,
    ),
  }),
);

export const inferenceBodyMutants: readonly Mutant[] = [
  ...refusedOptions,
  {
    name: 'fields-of-any-type',
    clauses: ['inference.invalid-value'],
    does: 'makes something up for fields of chat and completions that have the wrong type',
    apply: (options) => all(...BOTH.map((id) => reading(id, repaired(options))))(options),
  },
  {
    name: 'bad-requests-break-it',
    clauses: ['inference.no-breakdown', 'inference.invalid-value', 'errors.malformed-json', 'errors.missing-field'],
    does: 'breaks down wherever it should refuse a body',
    apply: statusWhere((reply, { id }) => BOTH.some((one) => one === id) && reply.status === 400, 500),
  },
  {
    name: 'odd-texts-break-it',
    clauses: ['inference.no-breakdown'],
    does: 'breaks down at texts that it can not write down',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the fault is about
    apply: breaksAt(BOTH, (body) => holds(body, /\u0000|[\ud800-\udbff](?![\udc00-\udfff])/)),
  },
  {
    name: 'odd-fields-break-it',
    clauses: ['inference.no-breakdown'],
    does: 'breaks down at fields that are null, there twice, too large or named like something else',
    apply: breaksAt(
      BOTH,
      (body) =>
        body.seed === null ||
        body.max_tokens === 5 ||
        Object.hasOwn(body, 'constructor') ||
        body.x_proofload === Number.POSITIVE_INFINITY,
    ),
  },
  {
    name: 'tools-break-it',
    clauses: ['inference.no-breakdown'],
    does: 'breaks down at tools and at their results',
    apply: breaksAt(
      ['chat'],
      (body) => 'tools' in body || JSON.stringify(body.messages ?? []).includes('tool_call_id'),
    ),
  },
  {
    name: 'token-prompts-break-it',
    clauses: ['inference.no-breakdown'],
    does: 'breaks down at a prompt of tokens',
    apply: breaksAt(['completions'], ({ prompt }) => Array.isArray(prompt) && typeof prompt[0] === 'number'),
  },
  {
    name: 'stop-text-refused',
    clauses: ['chat.options', 'completions.options'],
    does: 'refuses a stop text that is not in a list',
    apply: all(
      ...BOTH.map((id) => reading(id, (body) => (typeof body.stop === 'string' ? { ...body, stop: [7] } : body))),
    ),
  },
  {
    name: 'max-completion-tokens-ignored',
    clauses: ['chat.options'],
    does: 'goes on beyond max_completion_tokens',
    apply: reading('chat', (body) => ({ ...body, max_completion_tokens: null })),
  },
];
