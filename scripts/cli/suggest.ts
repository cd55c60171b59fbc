/** Spelling help for names that people type: the closest known one, when it is close enough to be meant. */
import { closestMatch } from 'leven';

/** `; did you mean 'x'?`, or an empty string when nothing known is close. */
export function suggestion(given: string, known: readonly string[], prefix = ''): string {
  const closest = closestMatch(given, [...known], { maxDistance: Math.max(2, Math.floor(given.length / 3)) });
  return closest === undefined ? '' : `; did you mean '${prefix}${closest}'?`;
}
