/**
 * The variables whose names begin as ours do. In CI a variable that isn't set is an empty one, and a misspelt one is not
 * there: either would leave its option out without a word, and another thing be verified than was meant.
 */
import { UsageError } from '../../schemas/target.ts';
import { environmentName, options, secrets } from './options.ts';
import { suggestion } from './suggest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const OURS = environmentName('');
const known = [...new Set([...options.map(({ name }) => name), ...secrets, 'debug'].map(environmentName))];

/** Throws UsageError on the first of ours that is empty or unknown. */
export function requireMeant(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(OURS) || value === undefined) continue;
    if (!known.includes(name)) throw new UsageError(`unknown variable ${name}${suggestion(name, known)} (see --help)`);
    if (value.trim() === '') throw new UsageError(`${name} is set but empty; give it a value, or unset it`);
  }
}
