/** `--only`: which checks a run selects, by globs on their ids; the same rule for contract checks and load checks. */
import picomatch from 'picomatch';

/**
 * Whether a check is selected. No patterns selects everything. In a pattern `*` stands for any characters, dots
 * included: `run.*` selects `run.rate.guarantee`.
 */
export function matchesOnly(patterns: readonly string[], checkId: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => globToTest(pattern)(checkId));
}

const globs = new Map<string, (text: string) => boolean>();

function globToTest(pattern: string): (text: string) => boolean {
  const known = globs.get(pattern);
  if (known) return known;
  const made = picomatch(pattern, { dot: true, noextglob: true, nobrace: false });
  globs.set(pattern, made);
  return made;
}
