/** Every rendering of whatever results there may be: never throws, agrees with the counts, lets no text through raw. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clauses } from '../schemas/clauses/index.ts';
import type { OperationId } from '../schemas/operations.ts';
import type { ReferenceReport, ResultDifference, Results } from '../schemas/results.ts';
import { type Level, verdicts } from '../schemas/verdicts.ts';
import { assemble } from './assemble.ts';
import { renderPage } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { stored } from './stored.ts';
import { renderSummary } from './summary.ts';
import { finalBlock } from './terminal.ts';
import { hostileTexts, sampleResults } from './testing/fixtures.ts';
import { schemaBreaks } from './validate.ts';

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...hostileTexts.slice(0, 7)));
const anyCheck = fc.record({
  id: fc.tuple(fc.constantFrom('run', 'models', 'other'), word).map((parts) => parts.join('.')),
  title: text,
  clauses: fc.subarray(clauses.slice(0, 4).map((clause) => clause.id)),
  level: fc.constantFrom<Level>('documented', 'convention', 'observed'),
  verdict: fc.constantFrom(...verdicts),
  expected: text,
  observed: text,
  reason: text,
  leftBehind: fc.array(text, { maxLength: 2 }),
  reference: fc.record({
    verdict: fc.constantFrom(...verdicts),
    observed: text,
    differences: fc.array(text, { maxLength: 2 }),
  }),
});

const anyDifference = fc.record({
  operation: fc.constantFrom<OperationId | null>('run', 'models', null),
  request: text,
  text,
  kind: fc.constantFrom<ResultDifference['kind']>('spec', 'convention', 'different'),
  checks: fc.array(word, { maxLength: 5 }),
});
const anyReference = fc.record({
  contract: fc.constantFrom<ReferenceReport['contract']>('asked', 'itself', 'missing'),
  why: text,
  differences: fc.array(anyDifference, { maxLength: 4 }),
  more: fc.nat(9),
});

const anyResults: fc.Arbitrary<Results> = fc
  .record({
    checks: fc.array(anyCheck, { maxLength: 8 }),
    lost: fc.boolean(),
    stopped: fc.option(text),
    strict: fc.boolean(),
    reference: anyReference,
  })
  .map(({ checks, lost, stopped, strict, reference }) => {
    const { run, target, limits } = sampleResults('failing');
    return assemble({
      checks,
      limits: limits.slice(0, 3),
      declared: [...checks.map(({ id }) => id), ...(lost ? ['lost.check'] : [])],
      run,
      target,
      clauses,
      strict,
      reference,
      ...(stopped === null ? {} : { interrupted: stopped }),
    });
  });

const runs = { numRuns: 60 };

test('assembled results keep their schema and their sums', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      expect(schemaBreaks(stored(results))).toEqual([]);
      const { declared, emitted, ...byVerdict } = results.counts;
      expect(Object.values(byVerdict).reduce((sum, count) => sum + count, 0)).toBe(emitted);
      expect(results.complete).toBe(results.run.interrupted === undefined);
      if (results.complete) expect(declared).toBe(emitted);
    }),
  );
});

test('JUnit has one failure for each failed check and is never green for a run that is not', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      const xml = renderJunit(results);
      expect(xml.split('<failure ').length - 1).toBe(results.counts.fail);
      const green = !xml.includes('<failure ') && !xml.includes('<error ');
      if (green) expect(results.complete && ['pass', 'inconclusive'].includes(results.verdict)).toBe(true);
      // Only our own tags: names in lower case, attributes in double quotes, nothing else in angle brackets.
      expect(xml.replace(/<\/?[a-z-]+(?: [a-z]+="[^"<>]*")*\/?>/g, '')).not.toMatch(/<(?!\?xml)/);
    }),
    runs,
  );
});

test('the page holds no tag that is not ours', { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      const body = renderPage(results, clauses).replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
      const names = new Set([...body.matchAll(/<\/?([a-zA-Z!][^\s/>]*)/g)].map((match) => match[1]));
      for (const name of ['script', 'img', 'iframe', '!--']) expect(names).not.toContain(name);
      expect(body).not.toMatch(/<[^>]*\son[a-z]+=/i);
    }),
    runs,
  );
});

test('summary and terminal say the same headline, each on lines of its own', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      const [heading] = renderSummary(results).split('\n');
      const [first] = finalBlock(results, { html: 'report.html' });
      expect(heading?.startsWith('## ')).toBe(true);
      expect(first?.startsWith(`${heading?.slice(3)}.`)).toBe(true);
      for (const line of finalBlock(results, { html: 'report.html' })) expect(line).not.toMatch(/\p{Cc}/u);
    }),
    runs,
  );
});
