/** Reads a job's answer without relying on more than the field `status` that every client of such a service reads. */

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

/** The id of a submitted job; null when the answer names none. */
export function jobIdOf(body: string): string | null {
  return field(body, 'id') || null;
}

function field(body: string, name: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return '';
    const found = (value as Record<string, unknown>)[name];
    return typeof found === 'string' ? found : '';
  } catch {
    return '';
  }
}
