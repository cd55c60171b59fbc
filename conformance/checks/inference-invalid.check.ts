/** What interface A answers to bodies it can't serve. */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { plain } from '../flows/completions.ts';
import { expectTurnedAway } from '../flows/refusals.ts';
import type { Reply } from '../target/reply.ts';

type Subject = 'chat' | 'completions';

interface Case {
  readonly subject: Subject;
  readonly aspect: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly because?: string;
  /** The body: as text, or as JSON. */
  readonly text?: string;
  readonly json?: (t: CheckContext) => Readonly<Record<string, unknown>>;
  /** Those of its refusal; null where no client minds that it is served all the same. */
  readonly statuses: readonly number[] | null;
}

/** 422 is what some frameworks answer; every client reads it as the same kind of error. */
const BAD = [400, 422];
const REQUIRED_BECAUSE = 'the field is part of the documented request, but the response without it is not documented';

const cases: readonly Case[] = [
  ...(['chat', 'completions'] as const).flatMap((subject): Case[] => [
    {
      subject,
      aspect: 'malformed-json',
      title: 'malformed JSON',
      clauses: ['errors.malformed-json'],
      text: '{"model": ',
      statuses: BAD,
    },
    {
      subject,
      aspect: 'empty-body',
      title: 'an empty body',
      clauses: ['errors.malformed-json'],
      text: '',
      statuses: BAD,
    },
    {
      subject,
      aspect: 'list-body',
      title: 'a list as the body',
      clauses: ['inference.invalid-value'],
      text: '[]',
      statuses: BAD,
    },
  ]),
  {
    subject: 'chat',
    aspect: 'missing-model',
    title: 'a body without model',
    clauses: ['chat.model-required', 'errors.missing-field'],
    because: REQUIRED_BECAUSE,
    json: (t) => ({ messages: t.messages }),
    statuses: [...BAD, 404],
  },
  {
    subject: 'chat',
    aspect: 'missing-messages',
    title: 'a body without messages',
    clauses: ['chat.messages-required', 'errors.missing-field'],
    because: REQUIRED_BECAUSE,
    json: (t) => ({ model: t.model }),
    statuses: BAD,
  },
  {
    subject: 'chat',
    aspect: 'empty-messages',
    title: 'an empty conversation',
    clauses: ['inference.invalid-value'],
    json: (t) => ({ model: t.model, messages: [] }),
    statuses: null,
  },
  {
    subject: 'chat',
    aspect: 'messages-text',
    title: 'messages that are not a list',
    clauses: ['inference.invalid-value'],
    json: (t) => ({ model: t.model, messages: 'hello' }),
    statuses: BAD,
  },
  {
    subject: 'chat',
    aspect: 'message-without-role',
    title: 'a message without a role',
    clauses: ['inference.invalid-value'],
    json: (t) => ({ model: t.model, messages: [{ content: 'hello' }] }),
    statuses: null,
  },
  {
    subject: 'chat',
    aspect: 'max-tokens-text',
    title: 'max_tokens that is not a number',
    clauses: ['inference.invalid-value'],
    json: (t) => ({ model: t.model, messages: t.messages, max_tokens: 'many' }),
    statuses: null,
  },
  {
    subject: 'chat',
    aspect: 'unknown-model',
    title: 'an unknown model',
    clauses: ['inference.unknown-model'],
    json: (t) => ({ model: 'no-such-owner/no-such-model', messages: t.messages }),
    statuses: [404, ...BAD],
  },
  {
    subject: 'completions',
    aspect: 'missing-prompt',
    title: 'a body without a prompt',
    clauses: ['errors.missing-field'],
    json: (t) => ({ model: t.model }),
    statuses: BAD,
  },
  {
    subject: 'completions',
    aspect: 'unknown-model',
    title: 'an unknown model',
    clauses: ['inference.unknown-model'],
    json: (t) => ({ model: 'no-such-owner/no-such-model', prompt: t.prompt }),
    statuses: [404, ...BAD],
  },
];

/** A good request must have been served, or the refusal of a bad one would say nothing. */
async function control(t: CheckContext, subject: Subject): Promise<void> {
  t.requireAnswer(subject, await (subject === 'chat' ? plain(t, 'chat') : plain(t, 'completions')));
}

/** A model that does not exist can be asked for by a request that is right. */
function send(t: CheckContext, { subject, aspect, title, text, json }: Case): Promise<Reply> {
  const options = text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } };
  const meant = aspect === 'unknown-model' ? {} : { breaks: title };
  return t.inference.call(subject, { ...options, ...meant }, json?.(t));
}

export const checks: readonly CheckDefinition[] = cases.map(
  (one): CheckDefinition => ({
    id: `${one.subject}.invalid.${one.aspect}`,
    title: one.statuses ? `${one.subject} rejects ${one.title}` : `${one.subject} never returns 5xx for ${one.title}`,
    clauses: one.clauses,
    ...(one.because ? { level: 'convention', because: one.because } : {}),
    async run(t) {
      await control(t, one.subject);
      expectTurnedAway(t, one.subject, await send(t, one), one.statuses);
    },
  }),
);
