import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Level, type Verdict, verdicts } from '../schemas/verdicts.ts';
import { EXIT, type RunState, runVerdict } from './run-verdict.ts';

const whole: RunState = { complete: true };
const documented = (...list: Verdict[]) => list.map((verdict) => ({ verdict, level: 'documented' as Level }));
const wanting = (level: Level) => ({ verdict: 'skipped' as Verdict, level, missing: ['--base-url'] });
const strict: RunState = { complete: true, strict: true };
const convention = (...list: Verdict[]) => list.map((verdict) => ({ verdict, level: 'convention' as Level }));
const goal = (...list: Verdict[]) => list.map((verdict) => ({ verdict, level: 'goal' as Level }));

test.each([
  ['all hold', documented('pass', 'pass'), whole, 'pass', 0],
  ['warnings do not fail', [...documented('pass'), ...convention('warn')], whole, 'pass', 0],
  ['one broken promise', documented('pass', 'fail'), whole, 'fail', 1],
  ['a broken promise beside a harness error', documented('fail', 'error'), whole, 'fail', 1],
  ['a broken promise in a run that lost checks', documented('fail'), { complete: false }, 'fail', 1],
  ['a harness error', documented('pass', 'error'), whole, 'error', 2],
  ['a lost check', documented('pass'), { complete: false }, 'error', 2],
  ['nothing selected', [], whole, 'error', 2],
  ['all skipped', documented('skipped', 'skipped'), whole, 'error', 2],
  ['all out of reach', documented('not-observable', 'skipped'), whole, 'error', 2],
  ['all inconclusive', documented('inconclusive', 'skipped'), whole, 'inconclusive', 2],
  ['all inconclusive, strict', documented('inconclusive'), { complete: true, strict: true }, 'inconclusive', 2],
  ['some inconclusive', documented('pass', 'inconclusive'), whole, 'inconclusive', 0],
  [
    'some inconclusive, strict',
    documented('pass', 'inconclusive'),
    { complete: true, strict: true },
    'inconclusive',
    3,
  ],
  ['only a convention inconclusive', [...documented('pass'), ...convention('inconclusive')], whole, 'pass', 0],
  ['a missed goal', [...documented('pass'), ...goal('fail')], whole, 'fail', 1],
  ['a goal that is open', [...documented('pass'), ...goal('inconclusive')], whole, 'inconclusive', 0],
  [
    'a goal that is open, strict',
    [...documented('pass'), ...goal('inconclusive')],
    { complete: true, strict: true },
    'inconclusive',
    3,
  ],
  ['one out of reach', documented('pass', 'not-observable'), whole, 'pass', 0],
  ['one out of reach, strict', documented('pass', 'not-observable'), strict, 'inconclusive', 3],
  ['one for want of an option', [...documented('pass'), wanting('documented')], whole, 'pass', 0],
  ['one for want of an option, strict', [...documented('pass'), wanting('documented')], strict, 'inconclusive', 3],
  ['a convention for want of an option, strict', [...documented('pass'), wanting('convention')], strict, 'pass', 0],
  ['one left out by choice, strict', documented('pass', 'skipped'), strict, 'pass', 0],
  ['only behaviour recorded', documented('observed'), whole, 'inconclusive', 0],
  ['only warnings', convention('warn'), whole, 'inconclusive', 0],
  ['an outdated baseline', documented('pass'), { complete: true, outdated: true }, 'fail', 1],
  ['an outdated baseline beside a harness error', documented('error'), { complete: true, outdated: true }, 'fail', 1],
  [
    'stopped, with an outdated baseline',
    documented('pass'),
    { complete: false, interrupted: true, outdated: true },
    'fail',
    130,
  ],
  ['an expected failure', documented('known'), whole, 'pass', 0],
  ['stopped while green', documented('pass'), { complete: false, interrupted: true }, 'inconclusive', 130],
  ['stopped after a break', documented('fail'), { complete: false, interrupted: true }, 'fail', 130],
  ['stopped after an error', documented('error'), { complete: false, interrupted: true }, 'error', 130],
  ['stopped before anything', [], { complete: false, interrupted: true }, 'inconclusive', 130],
] as const)('%s', (_, checks, state, verdict, exitCode) => {
  expect(runVerdict(checks, state)).toEqual({ verdict, exitCode });
});

const anyCheck = fc.record({
  verdict: fc.constantFrom(...verdicts),
  level: fc.constantFrom<Level>('documented', 'convention', 'observed'),
});
const anyState = fc.record({
  complete: fc.boolean(),
  interrupted: fc.boolean(),
  strict: fc.boolean(),
  outdated: fc.boolean(),
});

test('a pass needs something that held and nothing broken, lost or open', () => {
  fc.assert(
    fc.property(fc.array(anyCheck), anyState, (checks, state) => {
      if (runVerdict(checks, state).verdict !== 'pass') return;
      const seen = checks.map((check) => check.verdict);
      expect(seen.some((verdict) => verdict === 'pass' || verdict === 'known')).toBe(true);
      expect(seen).not.toContain('fail');
      expect(seen).not.toContain('error');
      expect(state.complete && !state.interrupted && !state.outdated).toBe(true);
    }),
  );
});

test('a broken promise is never hidden by anything else', () => {
  fc.assert(
    fc.property(fc.array(anyCheck), anyState, (checks, state) => {
      const outcome = runVerdict([...checks, { verdict: 'fail', level: 'documented' }], state);
      expect(outcome.verdict).toBe('fail');
      expect(outcome.exitCode).toBe(state.interrupted ? EXIT.interrupted : EXIT.broken);
    }),
  );
});

test('3 appears only with strict, and the order of checks does not matter', () => {
  fc.assert(
    fc.property(fc.array(anyCheck), anyState, (checks, state) => {
      const outcome = runVerdict(checks, state);
      if (outcome.exitCode === EXIT.inconclusive) expect(state.strict).toBe(true);
      expect(runVerdict([...checks].reverse(), state)).toEqual(outcome);
    }),
  );
});
