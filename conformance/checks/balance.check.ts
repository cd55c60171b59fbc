/** An account without balance is not served. */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { plainChat, plainCompletion } from '../flows/completions.ts';
import { at, show } from '../reading/json.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const PAYMENT_REQUIRED = 402;
const TOO_MANY = 429;
const on = 'inference';

const subjects = {
  chat: (t: CheckContext) =>
    t.inference.chat({ model: t.model, messages: t.messages }, { auth: 'broke', expects429: true }),
  completions: (t: CheckContext) =>
    t.inference.completions({ model: t.model, prompt: t.prompt }, { auth: 'broke', expects429: true }),
};

async function control(t: CheckContext, subject: keyof typeof subjects): Promise<void> {
  t.requireAnswer(subject, await (subject === 'chat' ? plainChat(t) : plainCompletion(t)));
}

/** 429 is a refusal for money only when the body says so; a plain one is a limit. */
function saysQuota(reply: Reply): boolean {
  const error = at(reply.json, 'error');
  return /quota|balance|credit|billing|payment/i.test(show(error ?? reply.text, 2000));
}

const pairs = (Object.keys(subjects) as (keyof typeof subjects)[]).flatMap((subject) => [
  check(
    {
      id: `${subject}.balance.refused`,
      title: `${subject} is refused to an account without balance`,
      clauses: ['inference.balance', 'auth.balance'],
      on,
      needs: ['broke-key'],
    },
    async (t) => {
      await control(t, subject);
      const reply = await subjects[subject](t);
      t.require(reply.status < 500 && (reply.status !== TOO_MANY || saysQuota(reply)), 'ground', {
        what: 'the answer is about the account',
        expected: 'a refusal that is neither a breakdown nor a limit',
        observed: describe(reply),
      });
      t.expect(`${reply.request} is refused`, 'no status 2xx', describe(reply), !isOk(reply));
    },
  ),
  check(
    {
      id: `${subject}.balance.status`,
      title: `${subject} tells a lack of balance from other refusals`,
      clauses: ['auth.balance-status'],
      on,
      needs: ['broke-key'],
    },
    async (t) => {
      await control(t, subject);
      const reply = await subjects[subject](t);
      const holds = reply.status === PAYMENT_REQUIRED || (reply.status === TOO_MANY && saysQuota(reply));
      t.expect('the refusal', '402, or 429 with a quota code', describe(reply), holds);
    },
  ),
]);

export const checks: readonly Check[] = pairs;
