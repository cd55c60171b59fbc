import { expect, test } from 'vitest';
import { annotations, withoutCommands } from './github.ts';
import { laterNight } from './history/testing/fixtures.ts';
import { hostileTexts, sampleResults } from './testing/fixtures.ts';

const of = (kind: Parameters<typeof sampleResults>[0]): string[] => annotations(sampleResults(kind));

test('a run that conforms is annotated with nothing', () => {
  expect(of('passing')).toEqual([]);
});

test('what broke is an error with what was seen, conventions and open questions are warnings', () => {
  const lines = of('failing');
  expect(lines[0]).toBe(
    '::error title=run.rate.enforced::Requests beyond the documented rate limit of run are refused: ' +
      'expected at most 1,000 requests admitted within any 10 s; observed 2,100 requests admitted within 10 s, none refused',
  );
  expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('::warning '))).toHaveLength(3);
});

test('what is newly broken says so', () => {
  expect(annotations(laterNight())[0]).toMatch(/^::error title=run\.rate\.enforced \(new\)::/);
});

test('a run that is not whole says so', () => {
  expect(of('interrupted')).toContain('::error title=the run is incomplete::Ctrl-C');
});

test('ten of a kind are shown, and how many more there are', () => {
  const results = sampleResults('passing');
  const checks = results.checks.slice(0, 25).map((check) => ({ ...check, verdict: 'fail' as const }));
  const lines = annotations({ ...results, checks });
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('::error title=proofload::16 more in the report');
});

test('no text of a target ends its line, its title or its command', () => {
  const results = sampleResults('passing');
  const texts = [...hostileTexts, '::error::x', '\r\n::set-output name=a::b', 'a%0Ab', '100 %', 'title=x,file=y::z'];
  const checks = results.checks
    .slice(0, texts.length)
    .map((check, index) => ({ ...check, verdict: 'fail' as const, observed: texts[index] ?? '' }));
  const lines = annotations({ ...results, checks });
  for (const line of lines) {
    expect(line).toMatch(/^::error title=[^:,\n\r]+::[^\n\r]*$/);
    expect(line).not.toContain('%0A');
  }
  expect(annotations({ ...results, checks: checks.slice(-3) }).join('\n')).toContain('observed a%250Ab');
});

test('commands are off between two lines that hold the word', () => {
  expect(withoutCommands('w0rd')).toEqual({ begin: '::stop-commands::w0rd', end: '::w0rd::' });
});
