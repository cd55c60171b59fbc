/** Whether a target and a profile offer what a check needs; if not, the outcome that says so. */
import type { CheckOutcome } from '../schemas/facts.ts';
import type { Profile } from '../schemas/target.ts';
import type { Check, Need } from './check.ts';
import type { Target } from './target/target.ts';

const FLAG = { inference: '--base-url', jobs: '--job-base-url and --inst-id' } as const;

function lacking(need: Need, target: Target, profile: Profile): CheckOutcome | null {
  const { endpoints } = target.config;
  switch (need) {
    case 'dedicated':
      return endpoints.some((one) => one.dedicated)
        ? null
        : { kind: 'not-observable', needs: 'an endpoint that nobody else uses (--dedicated)' };
    case 'broke-key':
      return target.hasBrokeKey
        ? null
        : { kind: 'not-observable', needs: 'a key whose account has no balance (PROOFLOAD_BROKE_KEY)' };
    case 'other-key':
      return target.hasOtherKey
        ? null
        : { kind: 'not-observable', needs: 'a good key of another account (PROOFLOAD_OTHER_KEY)' };
    case 'two-endpoints':
      return endpoints.length > 1
        ? null
        : { kind: 'not-observable', needs: 'a second endpoint (--inst-id given twice)' };
    case 'jobs-key':
      return target.hasKey('jobs')
        ? null
        : { kind: 'not-observable', needs: 'a key for interface B (PROOFLOAD_JOB_KEY)' };
    case 'patience':
      return target.virtual || profile === 'nightly'
        ? null
        : {
            kind: 'skipped',
            by: 'profile',
            why: `it waits out the documented time, which the profile ${profile} does not; nightly does`,
          };
  }
}

/** The outcome of a check that can't run, or null when it can. */
export function missing(check: Check, target: Target, profile: Profile): CheckOutcome | null {
  const configured =
    target.address(check.on) !== null && (check.on === 'inference' || target.config.endpoints.length > 0);
  if (!configured) {
    return { kind: 'skipped', by: 'configuration', why: `interface ${check.on} was not given (${FLAG[check.on]})` };
  }
  for (const need of check.needs ?? []) {
    const outcome = lacking(need, target, profile);
    if (outcome) return outcome;
  }
  return null;
}
