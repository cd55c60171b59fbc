/**
 * The deployed handler of the reference: it does what the job's input says, so that a client can have quick, slow,
 * streaming and failing jobs. Its only way to spend time is the `sleep` it is given, which ends when the job does.
 */
import { isObject } from '../../schemas/json.ts';

export interface Workload {
  readonly echo?: unknown;
  /** Milliseconds before anything else. */
  readonly delay_ms?: number;
  /** How many chunks to yield, each `chunk_delay_ms` after the one before; 100,000 at most. */
  readonly chunks?: number;
  readonly chunk_delay_ms?: number;
  /** Fails with this message after everything else. */
  readonly fail?: string;
}

export type Handler = (
  input: unknown,
  sleep: (ms: number) => Promise<void>,
) => AsyncGenerator<unknown, unknown, undefined>;

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0);

/** Without a delay between them, chunks keep everything else from running. */
const MOST_CHUNKS = 100_000;

/** Yields the chunks; returns `echo`, or else the input itself. */
export async function* workloadHandler(
  input: unknown,
  sleep: (ms: number) => Promise<void>,
): AsyncGenerator<unknown, unknown, undefined> {
  if (!isObject(input)) return input;
  if (count(input.delay_ms) > 0) await sleep(count(input.delay_ms));
  const chunks = Math.min(MOST_CHUNKS, count(input.chunks));
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (count(input.chunk_delay_ms) > 0) await sleep(count(input.chunk_delay_ms));
    yield { chunk };
  }
  if (typeof input.fail === 'string') throw new Error(input.fail);
  return 'echo' in input ? input.echo : input;
}
