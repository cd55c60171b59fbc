/** What several parts of a run, or several runs, send together. */
import type { Amount } from '../schemas/results.ts';

export const inAll = (...parts: readonly (Amount | undefined)[]): Amount => ({
  requests: parts.reduce((all, part) => all + (part?.requests ?? 0), 0),
  bytes: parts.reduce((all, part) => all + (part?.bytes ?? 0), 0),
});
