/** The note of an `ask` entry: written by the sender, looked for by the analysis. Pure. */
import type { ScopeAsk } from '../../../probe.ts';

export const noteOf = ({ by, name }: ScopeAsk): string => (name === '' ? by : `${by} ${name}`);
