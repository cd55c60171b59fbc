/** Reads back what a run wrote. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readResults } from '../../reports/index.ts';
import type { Results } from '../../schemas/results.ts';

/** Rejects when the file is missing or breaks its schema. */
export const readReport = (dir: string): Promise<Results> => readResults(dir);

/** Ids of the checks with this verdict, sorted. */
export function idsWith(results: Results, verdict: string): readonly string[] {
  return results.checks
    .filter((check) => check.verdict === verdict)
    .map((check) => check.id)
    .sort();
}

/** Every file below a directory as text, compressed ones unpacked. */
export function allText(dir: string): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => {
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    return `${entry.name}\n${(entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')}`;
  });
  return texts.join('\n');
}
