/**
 * The bearer credential of interface A: none, a wrong one, and those that are nearly right, such as parts of a header, keys
 * that differ a little from the one that is taken, and the right key under another scheme. Each is refused on every
 * operation, where the right one is served.
 */
import type { InterfaceId } from '../../schemas/operations.ts';
import type { Level } from '../../schemas/verdicts.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { complete } from '../fixtures/completions.ts';
import { bearer, changed, longer, otherCase, shorter } from '../target/credentials.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import type { Authorization } from '../target/target.ts';

const NO_KEY = 401;
const on: InterfaceId = 'inference';
type Subject = 'models' | 'chat' | 'completions';
const subjects: readonly Subject[] = ['models', 'chat', 'completions'];

/** Without `breaks` the credential is the right one. */
const request = (
  t: CheckContext,
  subject: Subject,
  auth: Authorization,
  breaks?: string,
  more = {},
): Promise<Reply> => {
  const options = { auth, ...(breaks === undefined ? {} : { breaks }) };
  return subject === 'models' ? t.inference.models(options) : complete(t, subject, more, options);
};

/** A stream may be served by code of its own. */
const bodiesOf = (subject: Subject): readonly object[] => (subject === 'models' ? [{}] : [{}, { stream: true }]);

/** The first one is that of RFC 6750, the others are what services call it. */
const QUERY_NAMES = ['access_token', 'api_key', 'apikey', 'api-key', 'access_key', 'key', 'token'];

interface Bad {
  readonly aspect: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly level?: Level;
  readonly because?: string;
  /** Or header values made from the key; null where none can be made of it. */
  readonly sent: readonly (Authorization | ((key: string) => string | null))[];
}

const OTHER_SCHEME = {
  clauses: ['auth.bearer', 'auth.scheme'],
  level: 'convention',
  because: 'Bearer is documented; that other schemes are rejected is not',
} as const;
const UNKNOWN = { header: 'Bearer no-such-key-0000000000000000' };

const bad: readonly Bad[] = [
  {
    aspect: 'missing',
    title: 'without credentials',
    clauses: ['inference.authorization', 'auth.bearer'],
    sent: ['none'],
  },
  { aspect: 'wrong-key', title: 'with an unknown key', clauses: ['auth.access-key'], sent: [UNKNOWN] },
  {
    aspect: 'wrong-scheme',
    title: 'with a scheme other than Bearer',
    ...OTHER_SCHEME,
    sent: [{ header: 'Basic bm9ib2R5Om5vdGhpbmc=' }],
  },
  { aspect: 'bare-key', title: 'with a key without a scheme', ...OTHER_SCHEME, sent: ['bare'] },
  {
    aspect: 'empty-header',
    title: 'with an empty Authorization header',
    clauses: ['inference.authorization', 'auth.bearer'],
    sent: [() => ''],
  },
  {
    aspect: 'scheme-only',
    title: 'with the scheme Bearer and no key',
    clauses: ['auth.bearer', 'auth.access-key'],
    sent: [() => 'Bearer'],
  },
  {
    aspect: 'changed-key',
    title: 'with a key that differs in one character',
    clauses: ['auth.access-key'],
    sent: [(key) => bearer(changed(key))],
  },
  {
    aspect: 'longer-key',
    title: 'with a key that has extra characters at its end',
    clauses: ['auth.access-key'],
    sent: [(key) => bearer(longer(key)), (key) => bearer(`${key}${key}`)],
  },
  {
    aspect: 'shorter-key',
    title: 'with a truncated key',
    clauses: ['auth.access-key'],
    sent: [(key) => bearer(shorter(key))],
  },
  {
    aspect: 'key-case',
    title: 'with a key in the other letter case',
    clauses: ['auth.access-key'],
    sent: [(key) => bearer(otherCase(key))],
  },
  {
    aspect: 'other-scheme',
    title: 'with the right key under another scheme',
    ...OTHER_SCHEME,
    sent: [(key) => `Token ${key}`, (key) => `Basic ${key}`],
  },
];

/** The same request with the right credential must have been served, or a refusal would say nothing about the key. */
const control = async (t: CheckContext, subject: Subject): Promise<void> =>
  t.requireAnswer(subject, await t.shared(`auth-control ${subject}`, (own) => request(own, subject, 'own')));

/** Whether the response holds the key or the one that was made from it; reports have stars in its place. */
const repeats = (t: CheckContext, { text, headers }: Reply): boolean =>
  [text, ...Object.values(headers)].some((part) => t.target.masker.text(part) !== part);

const requireRejection = (t: CheckContext, reply: Reply): void =>
  t.precondition(
    'the response is a rejection and not a server error',
    'a status below 500',
    t.target.masker.text(describe(reply)),
    reply.status < 500,
  );

async function refusal(
  t: CheckContext,
  subject: Subject,
  sent: Bad['sent'][number],
  how: string,
  more = {},
): Promise<Reply> {
  const auth = typeof sent === 'function' ? t.target.credentialLike(on, sent) : sent;
  if (auth === null) t.inconclusive(`no such variation of this key exists (${how})`, 'use a key that has letters');
  const reply = await request(t, subject, auth, `the key is sent ${how}`, more);
  requireRejection(t, reply);
  return reply;
}

const refused = subjects.flatMap((subject) =>
  bad.map(
    ({ aspect, title, sent, ...rest }): CheckDefinition => ({
      id: `${subject}.auth.${aspect}`,
      title: `${subject} rejects a request ${title}`,
      ...rest,
      async run(t) {
        await control(t, subject);
        for (const one of sent) {
          for (const more of bodiesOf(subject)) {
            const reply = await refusal(t, subject, one, title, more);
            const observed = t.target.masker.text(describe(reply));
            t.expect(`${reply.request} ${title} is refused`, 'a status other than 2xx', observed, !isOk(reply));
          }
        }
      },
    }),
  ),
);

const reported = subjects.flatMap((subject): readonly CheckDefinition[] => [
  {
    id: `${subject}.auth.status`,
    title: `${subject} rejects missing and wrong credentials with 401`,
    clauses: ['auth.status-401'],
    async run(t) {
      await control(t, subject);
      for (const auth of ['none', UNKNOWN] as const)
        t.expectStatus(await request(t, subject, auth, 'the credential'), NO_KEY);
    },
  },
  {
    id: `${subject}.auth.scheme-case`,
    title: `${subject} accepts a lower-case scheme`,
    clauses: ['auth.scheme'],
    async run(t) {
      await control(t, subject);
      t.expectAnswered(subject, await request(t, subject, 'lower-case'));
    },
  },
]);

export const checks: readonly CheckDefinition[] = [
  ...refused,
  ...reported,
  {
    id: 'models.auth.query',
    title: 'models rejects a request with the right key in the query string and no Authorization header',
    clauses: ['auth.bearer'],
    level: 'convention',
    because: 'the header is documented; that a key elsewhere is rejected is not, but addresses end up in logs',
    async run(t) {
      await control(t, 'models');
      const raw = t.target.credentialLike(on, (key) => key)?.header;
      if (raw === undefined) return t.inconclusive('no key is configured', 'set PROOFLOAD_ACCESS_KEY');
      t.target.masker.learn(encodeURIComponent(raw));
      const query = new URLSearchParams(Object.fromEntries(QUERY_NAMES.map((name) => [name, raw]))).toString();
      const reply = await t.inference.models({ auth: 'none', query, breaks: 'the key is in the query string' });
      requireRejection(t, reply);
      t.expect(
        'the key in the query string',
        'a status other than 2xx',
        t.target.masker.text(describe(reply)),
        !isOk(reply),
      );
    },
  },
  {
    id: 'models.auth.unrepeated',
    title: 'No response repeats the key that was sent',
    clauses: ['gap.inference-error-body'],
    async run(t) {
      for (const subject of subjects) {
        await control(t, subject);
        const served = await request(t, subject, 'own');
        const unauthenticated = await refusal(
          t,
          subject,
          (key) => bearer(changed(key)),
          'with a key that differs in one character',
        );
        const said = [served, unauthenticated].filter((one) => repeats(t, one)).map((one) => one.status);
        t.note(
          `responses of ${subject} that contain the key`,
          said.length === 0 ? 'none' : `responses to ${said.join(', ')}`,
        );
      }
    },
  },
  {
    id: 'models.auth.gap',
    title: 'Challenge in a 401, and other ways to send a key that are accepted',
    clauses: ['gap.inference-errors', 'gap.error-headers'],
    async run(t) {
      await control(t, 'models');
      const unauthenticated = await request(t, 'models', 'none', 'the request has no credential');
      t.note('www-authenticate of the refusal', unauthenticated.headers['www-authenticate'] ?? 'none');
      const spaced = t.target.credentialLike(on, (key) => `Bearer  ${key}`);
      if (spaced)
        t.note('two spaces before the key', String((await request(t, 'models', spaced, 'two spaces')).status));
      const raw = t.target.credentialLike(on, (key) => key)?.header;
      if (raw) {
        const options = {
          auth: 'none',
          headers: { 'x-api-key': raw },
          breaks: 'the key is in another header',
        } as const;
        t.note('the key in X-Api-Key', String((await t.inference.models(options)).status));
      }
      const broken = { auth: 'none', body: '{"model": ', headers: { 'content-type': 'application/json' } } as const;
      const both = await t.inference.call('chat', { ...broken, breaks: 'neither credential nor body is right' });
      t.note('no credential and a body that is not JSON', String(both.status));
    },
  },
];
