/**
 * Who is calling (spec part 5). Authentication of interface B is not shown; real clients send the key with and without
 * `Bearer`.
 */
import type { DocumentedOperationId, InterfaceId } from '../schemas/operations.ts';
import { errorReply, inferenceError, jobError } from './errors.ts';
import type { ReferenceOptions } from './options.ts';
import type { Reply } from './reply.ts';

/** Operations that cost money, so a key without balance is turned away. */
const PAID: readonly DocumentedOperationId[] = ['chat', 'completions', 'run', 'runsync'];

function keyOf(header: string | null, side: InterfaceId, options: ReferenceOptions): string | null {
  if (header === null) return null;
  const bearer = /^bearer +(\S+) *$/i.exec(header);
  if (bearer) return bearer[1] ?? null;
  return side === 'jobs' && options.auth === 'either' ? header.trim() : null;
}

/** The 401, 402 or 404 to answer, or null when the caller may go on. */
export function refuseCaller(
  id: DocumentedOperationId,
  side: InterfaceId,
  authorization: string | null,
  options: ReferenceOptions,
): Reply | null {
  const key = keyOf(authorization, side, options);
  if (key !== null && options.brokeKeys.includes(key)) return PAID.includes(id) ? noBalance(side, options) : null;
  if (!options.rules.needsKey(id) || (side === 'jobs' && options.auth === 'none')) return null;
  const known =
    key !== null && (options.accessKeys.includes(key) || (side === 'jobs' && options.jobKeys.includes(key)));
  if (known) return null;
  if (key !== null && options.otherKeys.includes(key)) return side === 'jobs' ? noEndpoint() : null;
  return unauthorized(side, key !== null);
}

/** Also the response to another account: whether an endpoint of this name exists is not its business. */
export function noEndpoint(): Reply {
  return jobError(404, 'endpoint not found');
}

function unauthorized(side: InterfaceId, keyGiven: boolean): Reply {
  const headers = { 'www-authenticate': 'Bearer' };
  if (side === 'jobs') return jobError(401, 'unauthorized', headers);
  const message = keyGiven ? 'The access key is not known.' : 'No access key was given.';
  return inferenceError(401, { message, type: 'authentication_error', code: 'invalid_api_key' }, headers);
}

function noBalance(side: InterfaceId, options: ReferenceOptions): Reply {
  const code = options.balanceStatus === 402 ? 'insufficient_balance' : 'insufficient_quota';
  return errorReply(side, options.balanceStatus, { message: 'The account has no balance.', type: code, code });
}
