/** How a webhook leaves this process. The only file of the reference that sends anything; tests bring their own. */

/** Posts a JSON text; resolves with the status, rejects when there is no answer or the signal aborts. */
export type Post = (url: string, body: string, signal: AbortSignal) => Promise<number>;

/** A redirect is an answer like any other: following it would lead where no webhook may lead. */
export const postByFetch: Post = async (url, body, signal) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.status;
};
