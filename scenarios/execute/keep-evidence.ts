/**
 * The ledger as a file of the run. On a full disk a probe has still seen what it saw, but nobody could check a verdict
 * that rests on it: so the ledger says of itself that it was lost, instead of the probe being called broken.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { encodeLost } from '../../schemas/ledger-machine.ts';

type Mask = (text: string) => string;

/**
 * Writes it, masked and compressed, and returns it as it was; with a line more where it could not be written. Never
 * rejects.
 */
export async function keepEvidence(file: string, ledger: string, mask: Mask = (text) => text): Promise<string> {
  try {
    await writeFile(file, gzipSync(mask(ledger)));
    return ledger;
  } catch (error) {
    // What is there of it is no gzip file.
    await rm(file, { force: true }).catch(() => {});
    const lines = ledger.split('\n').filter((line) => line !== '').length;
    return lines === 0 ? ledger : `${ledger.trimEnd()}\n${encodeLost({ lines, why: reasonOf(error) })}\n`;
  }
}

/** k6 writes its log by itself, and what went wrong with a request may hold what the target sent. Never rejects. */
export async function maskLog(file: string, mask: Mask): Promise<void> {
  try {
    const written = await readFile(file, 'utf8');
    const masked = mask(written);
    if (masked !== written) await writeFile(file, masked);
  } catch {
    // One that can't be read or written again must not stay as it is; one that was never made need not go.
    await rm(file, { force: true }).catch(() => {});
  }
}

/** `ENOSPC: no space left on device, write` -> `no space left on device`, as k6 says it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: ([^,]+),/.exec(message)?.[1] ?? message;
}
