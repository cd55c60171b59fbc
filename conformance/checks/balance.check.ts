/** An account without balance is not served. */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import {
  type Completing,
  choicesOf,
  chunked,
  complete,
  completed,
  completing,
  modelList,
} from '../fixtures/completions.ts';
import { chunksOf, readEvents } from '../reading/events.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const PAYMENT_REQUIRED = 402;
const TOO_MANY = 429;

const broke = (t: CheckContext, id: Completing, more: Readonly<Record<string, unknown>> = {}): Promise<Reply> =>
  complete(t, id, more, { auth: 'broke', expects429: true });

/** 429 is a refusal for lack of balance only when the body says so; a plain one is a limit. */
function saysQuota(reply: Reply): boolean {
  const error = at(reply.json, 'error');
  return /quota|balance|credit|billing|payment/i.test(show(error ?? reply.text, 2000));
}

/** Precondition of checks on the text of the refusal: it is one, and it is about the account. */
function requireAboutAccount(t: CheckContext, reply: Reply): void {
  t.precondition(
    'the rejection is about the account',
    'a 4xx that is not about a limit',
    describe(reply),
    reply.status < 500 && (reply.status !== TOO_MANY || saysQuota(reply)),
  );
}

const pairs = completing.flatMap((subject): CheckDefinition[] => [
  {
    id: `${subject}.balance.refused`,
    title: `${subject} rejects requests of an account without balance`,
    clauses: ['inference.balance', 'auth.balance'],
    needs: ['broke-key'],
    async run(t) {
      await completed(t, subject);
      const reply = await broke(t, subject);
      requireAboutAccount(t, reply);
      t.expect(`${reply.request} is rejected`, 'a status other than 2xx', describe(reply), !isOk(reply));
    },
  },
  {
    id: `${subject}.balance.status`,
    title: `${subject} rejects an account without balance with a status of its own`,
    clauses: ['auth.balance-status'],
    needs: ['broke-key'],
    async run(t) {
      await completed(t, subject);
      const reply = await broke(t, subject);
      const holds = reply.status === PAYMENT_REQUIRED || (reply.status === TOO_MANY && saysQuota(reply));
      t.expect('the rejection', '402, or 429 with a quota code', describe(reply), holds);
    },
  },
  {
    id: `${subject}.balance.stream`,
    title: `${subject} streams no tokens to an account without balance`,
    clauses: ['inference.balance', 'auth.balance'],
    needs: ['broke-key'],
    async run(t) {
      await chunked(t, subject);
      const reply = await broke(t, subject, { stream: true });
      requireAboutAccount(t, reply);
      // A service that has begun to respond can still refuse, by an event that says so.
      const said = isOk(reply) ? chunksOf(readEvents(reply.pieces)).filter((one) => choicesOf(one).length > 0) : [];
      const served = said.length > 0 || choicesOf(reply.json).length > 0;
      t.expect(`${reply.request} with stream is rejected`, 'no choice in any chunk', describe(reply), !served);
    },
  },
]);

export const checks: readonly CheckDefinition[] = [
  ...pairs,
  {
    id: 'models.balance.gap',
    title: 'Access of an account without balance to the list of models',
    clauses: ['gap.inference-errors'],
    needs: ['broke-key'],
    async run(t) {
      t.requireAnswer('models', await modelList(t));
      t.note('the list of models', describe(await t.inference.models({ auth: 'broke', expects429: true })));
    },
  },
];
