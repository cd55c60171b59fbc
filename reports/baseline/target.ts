/** Whether a baseline entry speaks of the target of a run, and how a new entry names it. */
import { REFERENCE_TARGET } from '../../schemas/baseline.ts';
import { type Operation, operations } from '../../schemas/operations.ts';
import type { TargetConfig } from '../../schemas/target.ts';

/** What an entry can call this target: `reference`, or the addresses of its interfaces. */
function namesOf(target: TargetConfig): readonly string[] {
  if (target.kind === 'reference') return [REFERENCE_TARGET];
  return [target.baseUrl, target.jobBaseUrl].filter((url): url is string => url !== null);
}

/** Whether an entry may speak of more targets than one. */
export const isGlob = (pattern: string): boolean => pattern.includes('*');

/** Brackets stand in addresses (IPv6), so `*` is the only character with a meaning here. */
function matches(pattern: string, name: string): boolean {
  const escaped = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(name);
}

/** Whether an entry for `pattern` applies to a run on this target. */
export function appliesTo(pattern: string, target: TargetConfig): boolean {
  const written = pattern.replace(/\/+$/, '');
  return namesOf(target).some((name) => matches(written, name));
}

/** How a new entry for this check names the target: by the address of the interface that the check asks. */
export function targetNameFor(checkId: string, target: TargetConfig): string {
  if (target.kind === 'reference') return REFERENCE_TARGET;
  const [subject = ''] = checkId.split('.');
  const all: readonly Operation[] = [...operations, ...(target.operations ?? [])];
  const onInference =
    subject === 'inference' ||
    all.some(({ id, budget, interface: side }) => (id === subject || budget === subject) && side === 'inference');
  const [first, second] = onInference ? [target.baseUrl, target.jobBaseUrl] : [target.jobBaseUrl, target.baseUrl];
  return first ?? second ?? REFERENCE_TARGET;
}
