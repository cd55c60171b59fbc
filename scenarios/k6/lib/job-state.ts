/** Reads a job's answer without relying on more than the field `status` that every client of such a service reads. */
import { at, parseJson } from '../../../schemas/json.ts';

export type JobState = 'queued' | 'running' | 'finished' | 'unknown';

const FINAL: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

export function jobState(body: string): JobState {
  const status = field(body, 'status').toUpperCase();
  if (status === 'IN_QUEUE') return 'queued';
  if (status === 'IN_PROGRESS' || status === 'RUNNING') return 'running';
  return FINAL.includes(status) ? 'finished' : 'unknown';
}

/** The final state's name, or empty. */
export function finalState(body: string): string {
  const status = field(body, 'status').toUpperCase();
  return FINAL.includes(status) ? status : '';
}

/**
 * Of a job that was queued before a purge. It may be cancelled, ended some other way or unknown. One that has run in
 * the meantime was neither queued nor cleared, and a response without its state shows nothing.
 */
export function afterPurge(status: number, body: string): 'cleared' | 'queued' | 'unknown' {
  if (status === 404 || status === 410) return 'cleared';
  if (jobState(body) === 'queued') return 'queued';
  const final = finalState(body);
  return final !== '' && final !== 'COMPLETED' ? 'cleared' : 'unknown';
}

/** The id of a submitted job; null when the answer names none. */
export function jobIdOf(body: string): string | null {
  return field(body, 'id') || null;
}

/** Jobs waiting in the queue by health, as text; empty when it has no count. */
export function queuedJobs(body: string): string {
  const count = at(parseJson(body), 'jobs', 'inQueue');
  return typeof count === 'number' && count >= 0 ? String(count) : '';
}

function field(body: string, name: string): string {
  const found = at(parseJson(body), name);
  return typeof found === 'string' ? found : '';
}
