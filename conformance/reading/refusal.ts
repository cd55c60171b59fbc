/** What clients take for a refusal that they need not send again. */
import type { Reply } from '../target/reply.ts';

/** Clients send the same again after these, though they are 4xx. */
const AGAIN = [408, 429];

export const REFUSAL = "a 4xx that clients don't retry, usually 404";

/** Whether a request was rejected for good. Clients of interface B don't distinguish between 4xx. */
export const isRefusal = ({ status }: Reply): boolean => status >= 400 && status < 500 && !AGAIN.includes(status);

/** Statuses that put it on the key, the account or the moment, after which clients give up a key or send the same again. */
const OTHER_REASONS = [401, 402, 403, 408, 409, 429];

export const TAKEN_OR_REFUSED = "a 2xx, or a 4xx that clients don't retry, usually 400";

/** Whether a body was turned away for what is in it. */
export const isBadRequest = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && !OTHER_REASONS.includes(status);
