/** Jobs in a list whose shape is not documented: rows are objects with an id, anywhere in the body. */
import { type JobState, jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { isObject, listsIn, mentions } from '../../schemas/json.ts';
import type { Reply } from '../target/reply.ts';

/** All rows of a job, of every list in a body. */
export function rowsOf(body: unknown, jobId: string): readonly unknown[] {
  return listsIn(body).flatMap((list) => list.filter((one) => isObject(one) && jobIdOf(one) === jobId));
}

/** Whether a job is in the list, in whatever form: interface B is not documented to speak JSON. */
export const isListed = ({ json, text }: Reply, jobId: string): boolean =>
  json === undefined ? text.includes(jobId) : mentions(json, jobId);

/** The lists of a body that are in no other list: what stands inside a row is of that row. */
export function outerLists(body: unknown): readonly (readonly unknown[])[] {
  if (Array.isArray(body)) return [body];
  return isObject(body) ? Object.values(body).flatMap(outerLists) : [];
}

/** The states of those of these jobs that are listed, one for each row. */
export function statesIn(body: unknown, jobIds: readonly string[]): readonly JobState[] {
  return jobIds.flatMap((id) => rowsOf(body, id).map(stateOf));
}

/** The longest list in a body, which is the one of the requests; null where there is none. */
export function listIn(body: unknown): readonly unknown[] | null {
  return listsIn(body).reduce<readonly unknown[] | null>(
    (longest, one) => (longest === null || one.length > longest.length ? one : longest),
    null,
  );
}

/** These jobs in the order in which a list has them. */
export function orderIn(body: unknown, jobIds: readonly string[]): readonly string[] {
  const ids = (listIn(body) ?? []).flatMap((one) => jobIdOf(one) ?? []);
  return ids.filter((id) => jobIds.includes(id));
}
