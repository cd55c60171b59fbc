/** For tests only: entries, checks and whole baselines, made up by hand and at random. */
import fc from 'fast-check';
import { expectable } from '../../../schemas/baseline.ts';
import type { ResultCheck } from '../../../schemas/results.ts';
import type { TargetConfig } from '../../../schemas/target.ts';
import { type Verdict, verdicts } from '../../../schemas/verdicts.ts';
import { check } from '../../testing/fixtures.ts';
import type { ReadEntry } from '../baseline.ts';

export const TODAY = '2026-11-21';
export const YESTERDAY = '2026-11-20';
export const STAGING = 'https://jobs.staging.example';

export const staging: TargetConfig = {
  kind: 'remote',
  baseUrl: 'https://inference.staging.example',
  jobBaseUrl: STAGING,
  endpoints: [],
  model: null,
};

export const entry = (changes: Partial<ReadEntry> = {}): ReadEntry => ({
  check: 'run.route',
  target: STAGING,
  expect: 'fail',
  reason: 'the gateway',
  at: 'baseline.yaml:3',
  ...changes,
});

/** A check whose level fits its verdict. */
export function checkWith(id: string, verdict: Verdict): ResultCheck {
  const level = verdict === 'warn' ? 'convention' : verdict === 'observed' ? 'observed' : 'documented';
  return check({ id, title: id, clauses: [], level }, { verdict });
}

/** Ids of real checks: an entry for any other is refused. Every other one may be flaky. */
const ids = ['run.route', 'run.rate.enforced', 'models.list', 'run.none-lost', 'status.outputs', 'runsync.waits'];
const flakyIds: readonly string[] = ['run.rate.enforced', 'run.none-lost', 'runsync.waits'];

export const anyChecks = fc
  .uniqueArray(fc.constantFrom(...ids), { minLength: 1 })
  .chain((some) =>
    fc.tuple(
      ...some.map((id) =>
        fc.constantFrom(...verdicts.filter((one) => one !== 'known')).map((one) => checkWith(id, one)),
      ),
    ),
  );

const day = fc.constantFrom('2026-01-31', YESTERDAY, TODAY, '2026-12-01');
const targets = [
  STAGING,
  'https://inference.staging.example',
  'https://*.staging.example',
  'https://elsewhere.example',
];

/** Entries as a file can hold them: no two for one check on the same target, none flaky that can't be. */
export const anyEntries = (from: readonly string[] = targets) =>
  fc.uniqueArray(
    fc
      .record(
        {
          check: fc.constantFrom(...ids),
          target: fc.constantFrom(...from),
          expect: fc.constantFrom(...expectable),
          reason: fc.stringMatching(/^[a-z:#'" -]*[a-z]$/),
          ticket: fc.oneof(fc.stringMatching(/^[A-Z]+-\d+$/), fc.nat()),
          expires: day,
          flaky: fc.boolean(),
          firstSeen: day,
          lastSeen: day,
          at: fc.constant('baseline.yaml:1'),
        },
        { requiredKeys: ['check', 'target', 'expect', 'reason', 'at'] },
      )
      .map(({ flaky, ...rest }) =>
        flaky && flakyIds.includes(rest.check) && rest.expires !== undefined ? { ...rest, flaky } : rest,
      ),
    { selector: (one) => one.check },
  );
