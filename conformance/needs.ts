/** Whether a target and a profile offer what a check needs; if not, the outcome that says so. */
import type { CheckOutcome } from '../schemas/facts.ts';
import { needsOption } from '../schemas/missing-option.ts';
import type { Profile } from '../schemas/target.ts';
import type { Check, Need } from './check.ts';
import type { Target } from './target/target.ts';

const OPTIONS = { inference: ['--base-url'], jobs: ['--job-base-url', '--inst-id'] } as const;

function lacking(need: Need, target: Target, profile: Profile): CheckOutcome | null {
  const { endpoints } = target.config;
  switch (need) {
    case 'dedicated':
      return endpoints.some((one) => one.dedicated)
        ? null
        : needsOption('an endpoint without other users', '--dedicated');
    case 'broke-key':
      return target.hasBrokeKey ? null : needsOption('a key whose account has no balance', 'PROOFLOAD_BROKE_KEY');
    case 'other-key':
      return target.hasOtherKey ? null : needsOption('a valid key of another account', 'PROOFLOAD_OTHER_KEY');
    case 'two-endpoints':
      return endpoints.length > 1 ? null : needsOption('a second endpoint', 'a second --inst-id');
    case 'jobs-key':
      return target.hasKey('jobs') ? null : needsOption('a key for interface B', 'PROOFLOAD_JOB_KEY');
    case 'patience':
      return target.virtual || profile === 'nightly'
        ? null
        : {
            kind: 'skipped',
            by: 'profile',
            why: `it needs more time than the profile ${profile} takes, such as the documented retention; use nightly`,
          };
  }
}

/** The outcome of a check that can't run, or null when it can. */
export function missing(check: Check, target: Target, profile: Profile): CheckOutcome | null {
  const configured =
    target.address(check.on) !== null && (check.on === 'inference' || target.config.endpoints.length > 0);
  if (!configured) {
    const options = OPTIONS[check.on];
    const why = `interface ${check.on === 'jobs' ? 'B' : 'A'} is not configured (${options.join(' and ')})`;
    return { kind: 'skipped', by: 'target', why, missing: options };
  }
  for (const need of check.needs ?? []) {
    const outcome = lacking(need, target, profile);
    if (outcome) return outcome;
  }
  return null;
}
