/**
 * Operations that a configuration adds to those of the spec, as data: in the same form as the documented ones, so that
 * code that builds requests or plans a load works for both.
 */
import {
  type DocumentedOperationId,
  type Operation,
  type OperationId,
  type OwnName,
  operation,
  operations,
} from './operations.ts';

/**
 * An operation of the target's own: what a success looks like is not known; a response that refuses nothing is one. With
 * the id of one of the spec's it stands in its place, with the methods that the target was seen to have.
 */
export interface OwnOperation extends Operation {
  /** Sent as JSON with every request that is no GET; absent: no body is sent. */
  readonly body?: unknown;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** Names that the spec's rows and checks have already. */
const taken: ReadonlySet<string> = new Set(operations.flatMap(({ id, budget }) => [id, budget ?? id]));

/** Whether this may be the name of an operation or a budget of the configuration. */
export function isOwnName(name: string): name is OwnName {
  return NAME.test(name) && !taken.has(name);
}

export function isDocumentedOperation(id: string): id is DocumentedOperationId {
  return operations.some((one) => one.id === id);
}

/** The operation with this id, the spec's or one of `own`. Throws on one that is neither: nothing may name such. */
export function operationIn(own: readonly OwnOperation[] | undefined, id: OperationId): Operation {
  const found = own?.find((one) => one.id === id);
  if (found) return found;
  if (isDocumentedOperation(id)) return operation(id);
  throw new Error(`no operation '${id}' in the spec or the configuration`);
}

/** Whether it is about a job, which has to be made before. */
export const isAboutJob = ({ path }: Pick<Operation, 'path'>): boolean => path.includes('{job_id}');
