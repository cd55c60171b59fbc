/** A word that nobody else can have sent: what comes back with it is ours. */
import { randomBytes } from 'node:crypto';

export function nonce(): string {
  return `pl${randomBytes(9).toString('hex')}`;
}
