/** Reads a script's parameters in its init code, where alone k6 allows files to be opened. */
import { PARAMETERS_FILE, parseParameters, TARGET_KEY } from './parameters.ts';

type Kind = Parameters<typeof parseParameters>[1];

export function readParameters<K extends Kind>(kind: K) {
  return parseParameters(open(__ENV[PARAMETERS_FILE] ?? ''), kind);
}

export const targetKey: string | null = __ENV[TARGET_KEY] || null;
