/** The times that latency is made of, on their way to a file of their own and back. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate';
import { errorCode } from '../../schemas/error-code.ts';
import type { LoadFacts } from '../../schemas/facts.ts';
import { SAMPLES_VERSION, type Samples } from '../../schemas/samples.ts';
import { UsageError } from '../../schemas/target.ts';
import { writeWhole } from '../atomic.ts';
import { samplesBreaks } from '../validate.ts';
import { hundredths } from './percentiles.ts';
import { phasesIn } from './rows.ts';
import { streamSamples } from './streams.ts';

export const SAMPLES_FILE = 'samples.json.gz';

/** Everything that was paced, and every stream that was read. */
export function samplesOf(facts: readonly LoadFacts[]): Samples {
  const requests = phasesIn(facts).flatMap(({ phase }) => phase.requests);
  return {
    schemaVersion: SAMPLES_VERSION,
    latency: requests.map(({ operation, statusClass, ...times }) => ({
      operation,
      statusClass,
      dueToEndMs: times.dueToEndMs.map(hundredths),
      sentToEndMs: times.sentToEndMs.map(hundredths),
      sentToFirstByteMs: times.sentToFirstByteMs.map(hundredths),
    })),
    // As they came: what counts is the time between two of them, which a rounding of each would change.
    streams: streamSamples(facts),
  };
}

/** Of several runs. */
export const mergedSamples = (all: readonly Samples[]): Samples => ({
  schemaVersion: SAMPLES_VERSION,
  latency: all.flatMap(({ latency }) => latency),
  streams: all.flatMap(({ streams }) => streams),
});

/** Nothing is written where nothing was paced or read. Throws what the file system throws. */
export async function writeSamples(samples: Samples, dir: string): Promise<void> {
  if (samples.latency.length + samples.streams.length === 0) return;
  // Without a time of its own, so that equal samples are equal files.
  await writeWhole(join(dir, SAMPLES_FILE), gzipSync(strToU8(JSON.stringify(samples)), { mtime: 0 }));
}

/** Null where the directory has none. Throws UsageError for a file that can't be read, or is none of ours. */
export async function readSamples(dir: string): Promise<Samples | null> {
  const path = join(dir, SAMPLES_FILE);
  let packed: Uint8Array;
  try {
    packed = await readFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return null;
    // Latency of the other runs alone would look like that of all.
    throw new UsageError(`${path} cannot be read (${code})`);
  }
  let value: unknown;
  try {
    value = JSON.parse(strFromU8(gunzipSync(packed)));
  } catch {
    throw new UsageError(`${path} is cut short or was written by something else`);
  }
  const breaks = samplesBreaks(value);
  if (breaks.length > 0) throw new UsageError(`${path} breaks its schema: ${breaks.join('; ')}`);
  return value as Samples;
}
