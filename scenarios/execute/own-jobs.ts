/**
 * Lines that a k6 script writes between its ledger lines to name the long jobs it started. The executor takes them
 * out of the ledger, and cancels those jobs when it had to stop the script.
 */
import { at, parseJson } from '../../schemas/json.ts';

export function encodeOwnJob(jobId: string): string {
  return JSON.stringify({ ownJob: jobId });
}

const OWN_JOB = '{"ownJob":';

/** Splits what a script wrote into its ledger and the ids of its jobs. */
export function separateOwnJobs(text: string): { readonly ledger: string; readonly jobIds: readonly string[] } {
  // Most ledgers have none, and those are the long ones.
  if (!text.includes(OWN_JOB)) return { ledger: text, jobIds: [] };
  const jobIds: string[] = [];
  const kept = text.split('\n').filter((line) => {
    const id = line.startsWith(OWN_JOB) ? jobIdOf(line) : null;
    if (id !== null) jobIds.push(id);
    return id === null;
  });
  return { ledger: kept.join('\n'), jobIds };
}

function jobIdOf(line: string): string | null {
  const id = at(parseJson(line), 'ownJob');
  return typeof id === 'string' ? id : null;
}
