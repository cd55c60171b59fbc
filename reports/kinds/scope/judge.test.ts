import { expect, test } from 'vitest';
import type { ScopeAnswers, ScopeFacts } from '../../../schemas/facts.ts';
import { loadChecks } from '../../../schemas/load-checks.ts';
import { verdictOf } from '../../verdicts/claim.ts';
import { soundHealth } from '../../verdicts/testing/facts.ts';
import { judgeScope } from './judge.ts';

const answers = (by: ScopeAnswers['by'], name: string, changes: Partial<ScopeAnswers> = {}): ScopeAnswers => ({
  by,
  name,
  admitted: 0,
  refused: 0,
  otherwise: {},
  unsure: 0,
  ...changes,
});

const facts = (variants: readonly ScopeAnswers[], changes: Partial<ScopeFacts> = {}): ScopeFacts => ({
  kind: 'scope',
  limitId: 'requests.rate',
  instId: 'big',
  operation: 'requests',
  technique: 'spend',
  usual: { sent: 20, refused: 10 },
  variants,
  health: soundHealth(),
  ...changes,
});

const claim = (one: ScopeFacts) => judgeScope(one)[`${one.limitId}.scope`];

test('refused requests are counted together, served ones apart, and those that were not sent are named', () => {
  const one = claim(facts([answers('endpoint', 'small', { admitted: 3 }), answers('account', '', { refused: 3 })]));
  expect(one).toMatchObject({
    verdict: 'holds',
    observed:
      'endpoint small: separate budget (3 served); another account: same budget (3 of 3 refused); ' +
      'address: not tested, needs a second address of this machine (--other-address)',
  });
});

test('it is recorded, never judged', () => {
  const check = loadChecks.find(({ id }) => id === 'requests.rate.scope');
  const reported = claim(facts([answers('endpoint', 'small', { admitted: 3 })]));
  if (!check || !reported) throw new Error('there is no such check');
  expect(verdictOf(reported, check.level)).toBe('observed');
});

test('one refusal shows that the budget is not its own, also where a slot came free between two others', () => {
  const mixed = claim(facts([answers('connection', '', { admitted: 1, refused: 2 })]));
  expect(mixed).toMatchObject({
    verdict: 'holds',
    observed: expect.stringContaining('another connection: same budget (2 of 3 refused)'),
  });
});

test('responses that came when the limit was free show nothing', () => {
  const free = claim(facts([answers('connection', '', { unsure: 3 })]));
  expect(free).toMatchObject({ verdict: 'inconclusive', observed: expect.stringContaining('was free again') });
});

test('the 404 of an unknown key is reported as what it is', () => {
  const one = claim(
    facts([answers('account', '', { otherwise: { 404: 3 } }), answers('connection', '', { refused: 3 })]),
  );
  expect(one?.observed).toContain('another account: unknown, answered 404 x 3');
});

test.each([
  ['the limit was never reached', { usual: { sent: 50, refused: 0 } }, 'could not be exhausted'],
  ['something else refuses', { technique: 'hold', servedAfter: false }, 'also when nothing was held'],
  ['the ledger was cut off', { health: soundHealth({ complete: false }) }, 'cut off'],
] as const)('where %s nothing is said', (_, changes, reason) => {
  const one = claim(facts([answers('connection', '', { refused: 3 })], changes));
  expect(one).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining(reason) });
});

test('where held requests are not counted, it is not observable', () => {
  const one = claim(
    facts([answers('connection', '', { refused: 3 })], { technique: 'hold', usual: { sent: 1, refused: 0 } }),
  );
  expect(one).toMatchObject({ verdict: 'not-observable', reason: expect.stringContaining('none of 1 requests') });
});

test('where the limit was not reached, no other caller is called missing', () => {
  expect(claim(facts([], { usual: { sent: 20, refused: 0 } }))?.observed).toBe('no request was sent');
});

test('without another caller it is not observable, and says who is needed', () => {
  const one = claim(facts([]));
  expect(one).toMatchObject({ verdict: 'not-observable', reason: expect.stringContaining('--inst-id') });
});
