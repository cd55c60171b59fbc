/**
 * What is wrong with the content of a response under load, where it is wrong now and then only: it is compared with what
 * the operation returned first, so nothing is known about its fields. A load sends thousands of the same requests, and a
 * fault in one of a thousand shows nowhere else.
 */
import { stateWordOf } from '../../../schemas/job-answer.ts';
import { parseJson } from '../../../schemas/json.ts';
import type { OutgoingRequest } from '../../execute/requests.ts';

interface Usual {
  readonly hasFields: boolean;
  /** Whether it names the job of the request. */
  readonly isNamed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Of an object, or a list; null of anything else, and of what is empty. */
function fieldsOf(body: string): Fields | null {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) || Object.keys(value).length > 0 ? (value as Fields) : null;
}

/** What one VU was returned. */
export class Contents {
  /** By operation. */
  readonly #usual = new Map<string, Usual>();
  /** Of the jobs, all of which are done, by operation and job. */
  readonly #states = new Map<string, unknown>();
  #last = '';

  /** As text; empty where the response of a success is like the first one. */
  faultOf({ operation, jobId }: OutgoingRequest, body: string): string {
    const fields = fieldsOf(body);
    const isNamed = jobId !== undefined && body.includes(jobId);
    const usual = this.#usual.get(operation) ?? { hasFields: fields !== null, isNamed };
    this.#usual.set(operation, usual);
    if (usual.hasFields && !fields) return 'without a field';
    if (usual.isNamed && !isNamed) return 'without the id of its job';
    if (jobId !== undefined && this.#isNewState(`${operation} ${jobId}`, fields))
      return 'with another state of its job';
    const isRepeated = operation === 'run' && body === this.#last;
    this.#last = body;
    // Each has an id of its own.
    return isRepeated ? 'the same as the one before' : '';
  }

  #isNewState(about: string, fields: Fields | null): boolean {
    const state = stateWordOf(fields);
    if (!this.#states.has(about)) this.#states.set(about, state);
    return this.#states.get(about) !== state;
  }
}
