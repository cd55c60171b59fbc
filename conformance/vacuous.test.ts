/**
 * A check whose subject isn't there must not pass: with one operation that succeeds and says nothing, and all others sound,
 * no check of that operation's responses does.
 */
import { expect, test } from 'vitest';
import { answers, succeeded } from '../reference/mutants/answers.ts';
import { defaultOptions } from '../reference/options.ts';
import { operations } from '../schemas/operations.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';
import { passedOf } from './testing/passed.ts';

/** Their subject is a status, a rejection, or an effect that another operation shows. */
const OTHER_SUBJECT =
  /\.(auth\..*|invalid\..*|route(\..*)?|unknown-.*|expired\..*|odd-ids|empty-body|foreign-instance|other-key|near-id\..*)$/;
/** What becomes of jobs is shown by status, and what is listed as an empty list is a list. */
const shownElsewhere: Readonly<Record<string, RegExp>> = {
  cancel: /^cancel\./,
  'purge-queue': /^purge-queue\.(clears-queued|keeps-running|accepts-after)$/,
  requests: /^requests\.(list|answers\..*)$/,
  status: /^status\.answers\.own-results$/,
};

test.each(operations.flatMap(({ id }) => ['{}', 'null', '[]'].map((body) => [id, body] as const)))(
  'no check passes on %s that always responds with %s',
  { timeout: 60_000 },
  async (id, body) => {
    const plant = answers((reply, about) => (about.id === id && succeeded(reply) ? { ...reply, body } : reply));
    const target = openReference({ options: plant(defaultOptions({})) });
    const checks = allChecks.filter((one) => one.id.startsWith(`${id}.`) && one.level !== 'observed');
    const facts = await runPlain(checks, { target, profile: 'nightly', signal: new AbortController().signal });
    await target.close();
    const vacuous = passedOf(facts).filter((one) => !OTHER_SUBJECT.test(one.id) && !shownElsewhere[id]?.test(one.id));
    expect(vacuous.map((one) => one.id)).toEqual([]);
  },
);

test('no check of whose text is whose passes where every prompt gets the same one', async () => {
  const text = /"(content|text)":"(?:[^"\\]|\\.)*"/g;
  const plant = answers((reply, { id }) =>
    typeof reply.body === 'string' && (id === 'chat' || id === 'completions')
      ? { ...reply, body: reply.body.replaceAll(text, '"$1":"the same"') }
      : reply,
  );
  const target = openReference({ options: plant(defaultOptions({})) });
  const checks = allChecks.filter(({ id }) => /^(chat|completions)\.content\./.test(id));
  const facts = await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
  await target.close();
  expect(facts.map(({ id }) => id)).toContain('chat.content.at-once');
  expect(passedOf(facts)).toEqual([]);
});
