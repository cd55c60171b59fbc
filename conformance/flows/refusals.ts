/** What becomes of requests to interface A of which nobody promised whether they are taken. */
import type { CheckContext } from '../context.ts';
import { isAnswer } from '../reading/answer.ts';
import { isBadRequest, TAKEN_OR_REFUSED } from '../reading/refusal.ts';
import { describe, type Reply } from '../target/reply.ts';
import { ask, type Completing } from './completions.ts';

/** Says that an operation lacks the feature. Clients try again after it as after any 5xx, but it isn't a breakdown. */
const NOT_IMPLEMENTED = 501;
const BROKEN = 500;

const isRefusal = ({ status }: Reply): boolean => (status >= 400 && status < 500) || status === NOT_IMPLEMENTED;

/** Whether it was served or refused for what it is. 401 and 408 say something else, and a limit would have ended it. */
export const isClean = (id: Completing, reply: Reply): boolean =>
  isAnswer(id, reply) || (isRefusal(reply) && reply.status !== 401 && reply.status !== 408);

/**
 * Either an answer or a refusal is right; a breakdown, and a success that is no answer, are not. A breakdown has to come
 * twice, with a good request served in between: else the service is overloaded, and not by what was asked.
 */
export async function expectClean(
  t: CheckContext,
  id: Completing,
  what: string,
  request: () => Promise<Reply>,
): Promise<Reply> {
  let reply = await request();
  if (reply.status >= BROKEN && !isClean(id, reply)) {
    t.requireAnswer(id, await ask(t, id, { max_tokens: 1 }));
    reply = await request();
  }
  t.expect(what, 'a completion, or a refusal with 4xx', describe(reply), isClean(id, reply));
  return reply;
}

/**
 * A body with a fault gets one of these statuses; null: it may be served all the same too, as lenient services do, but
 * neither break it down nor be told to come again.
 */
export function expectTurnedAway(
  t: CheckContext,
  id: Completing,
  reply: Reply,
  statuses: readonly number[] | null,
): void {
  if (statuses) t.expectStatus(reply, ...statuses);
  else
    t.expect(
      `${reply.request} gets a response`,
      TAKEN_OR_REFUSED,
      describe(reply),
      isAnswer(id, reply) || isBadRequest(reply),
    );
}
