/**
 * JUnit XML, in the form that CI servers read: `<failure>` for a broken promise, `<error>` for a fault of the harness,
 * `<skipped>` for all that was not decided; warnings and observations pass with their text. The number of `<failure>`
 * elements is the number of failed checks, always: suites that only set a status attribute are shown as green. A run
 * that is not whole gets an `<error>` of its own, because a missing test looks like no test; so does each entry of the
 * baseline that is stale or expired. A known failure is `<skipped>` with its reason: not green, not red.
 */
import type { ResultCheck, Results } from '../schemas/results.ts';
import { excuseOf, outdatedEntries } from './baseline/words.ts';
import { newlyBroken } from './changes/words.ts';
import { type Essential, essentials } from './essentials.ts';
import { subjectsOf } from './subjects.ts';
import { cut, visible, xmlEntities } from './text.ts';
import { verdictWords } from './words.ts';

// The little XML that JUnit needs: elements with attributes and text, escaped so that no text of a target can end one.

const escapeText = (text: string): string => visible(text).replace(/[&<>"']/g, (char) => xmlEntities[char] ?? char);

/** Line breaks in an attribute would be read as blanks; as references they survive. */
const escapeAttribute = (text: string): string => escapeText(text).replace(/\n/g, '&#10;').replace(/\t/g, '&#9;');

type XmlChild = XmlElement | string;

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly XmlChild[];
}

export function element(
  name: string,
  attributes: XmlElement['attributes'] = {},
  children: readonly XmlChild[] = [],
): XmlElement {
  return { name, attributes, children };
}

/** An element as text, indented by element; text content is kept to the character. */
export function toXml(node: XmlElement, indent = ''): string {
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
  if (node.children.length === 0) return `${indent}<${node.name}${attributes}/>`;
  const open = `${indent}<${node.name}${attributes}>`;
  if (node.children.some((child) => typeof child === 'string')) {
    const inner = node.children.map((child) => (typeof child === 'string' ? escapeText(child) : toXml(child)));
    return `${open}${inner.join('')}</${node.name}>`;
  }
  const inner = node.children.map((child) => (typeof child === 'string' ? child : toXml(child, `${indent}  `)));
  return [open, ...inner, `${indent}</${node.name}>`].join('\n');
}

const MOST_CHARACTERS = 1000;

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const checkMs = (check: ResultCheck): number =>
  (check.evidence?.exchanges ?? []).reduce((sum, exchange) => sum + exchange.durationMs, 0);

function details(check: ResultCheck, more: readonly Essential[] = []): string {
  return [
    check.title,
    `expected: ${check.expected}`,
    `observed: ${check.observed}`,
    ...(check.reason ? [`reason: ${check.reason}`] : []),
    ...(check.firstTime ? [`retried; first inconclusive: ${check.firstTime}`] : []),
    ...(check.known ? [`baseline: ${excuseOf(check)}`] : []),
    `clauses: ${check.clauses.join(', ') || 'none'} (${check.level})`,
    ...more.map(({ label, text }) => `${label}: ${cut(text, MOST_CHARACTERS)}`),
    ...(check.leftBehind ?? []).map((text) => `left on the target: ${text}`),
  ].join('\n');
}

function outcome(check: ResultCheck): XmlElement[] {
  const word = verdictWords[check.verdict].word;
  const why = check.reason ?? check.observed;
  switch (check.verdict) {
    case 'pass':
      return [];
    case 'fail': {
      const message = `${check.title}: expected ${check.expected}, observed ${check.observed}`;
      return [element('failure', { type: check.level, message }, [details(check, essentials(check))])];
    }
    case 'error':
      return [element('error', { type: 'harness', message: why }, [details(check)])];
    case 'inconclusive':
    case 'not-observable':
    case 'skipped':
      return [element('skipped', { message: `${word}: ${why}` })];
    case 'known':
      return [element('skipped', { message: `${word}, ${excuseOf(check) ?? why}` }, [details(check)])];
    case 'warn':
    case 'observed':
      return [element('system-out', {}, [`${word}\n${details(check)}`])];
  }
}

/**
 * What a test case has no attribute for, as properties of its suite: readers that hold the file against a schema allow
 * them nowhere else.
 */
function properties(checks: readonly ResultCheck[], fresh: ReadonlySet<string>): XmlElement {
  const entries = checks.flatMap((check) =>
    [
      ['clauses', check.clauses.join(' ')] as const,
      ['level', check.level] as const,
      ['verdict', check.verdict] as const,
      ['title', check.title] as const,
      ...(fresh.has(check.id) ? [['change', 'newly broken'] as const] : []),
    ].map(([name, value]) => element('property', { name: `${check.id}.${name}`, value })),
  );
  return element('properties', {}, entries);
}

interface Case {
  readonly node: XmlElement;
  readonly ms: number;
}

function testcase(subject: string, check: ResultCheck): Case {
  const ms = checkMs(check);
  const attributes = { classname: `proofload.${subject}`, name: check.id, time: seconds(ms) };
  return { ms, node: element('testcase', attributes, outcome(check)) };
}

/** What a run that is not whole, or says nothing, leaves behind in place of the checks that are missing. */
function missing(results: Results): Case[] {
  const silent = results.verdict === 'error' && results.counts.error === 0;
  if (results.complete && !silent) return [];
  const message = results.run.interrupted ?? 'no check was selected or none could run';
  const error = element('error', { type: 'incomplete', message }, [message]);
  return [
    { ms: 0, node: element('testcase', { classname: 'proofload.run', name: 'run.complete', time: '0.000' }, [error]) },
  ];
}

/** The baseline fails a run like a broken check, but it is no failure of the target: each entry is an error. */
function outdated(results: Results): Case[] {
  return outdatedEntries(results.baseline).map(({ kind, check, at, why, remedy }) => {
    const error = element('error', { type: `baseline-${kind}`, message: `${at}: ${why}` }, [
      `${at}: ${why}; ${remedy}`,
    ]);
    const attributes = { classname: 'proofload.baseline', name: `baseline.${check}`, time: seconds(0) };
    return { ms: 0, node: element('testcase', attributes, [error]) };
  });
}

function tally(cases: readonly Case[]) {
  const having = (name: string): number =>
    cases.filter(({ node }) => node.children.some((child) => typeof child !== 'string' && child.name === name)).length;
  return {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
}

/** The whole file, one suite for each subject of the checks. */
export function renderJunit(results: Results): string {
  const fresh = newlyBroken(results);
  const groups: { name: string; about: readonly XmlElement[]; cases: readonly Case[] }[] = subjectsOf(
    results.checks,
  ).map(({ subject, checks }) => ({
    name: `proofload.${subject}`,
    about: [properties(checks, fresh)],
    cases: checks.map((check) => testcase(subject, check)),
  }));
  const entries = outdated(results);
  if (entries.length > 0) groups.push({ name: 'proofload.baseline', about: [], cases: entries });
  const whole = missing(results);
  if (whole.length > 0) groups.push({ name: 'proofload.run-as-a-whole', about: [], cases: whole });
  const suites = groups.map(({ name, about, cases }) => {
    const ms = cases.reduce((sum, one) => sum + one.ms, 0);
    const attributes = { name, ...tally(cases), time: seconds(ms), timestamp: results.run.startedAt };
    return element('testsuite', attributes, [...about, ...cases.map((one) => one.node)]);
  });
  const all = groups.flatMap((group) => group.cases);
  const { tests, failures, errors } = tally(all);
  const attributes = { name: 'proofload', tests, failures, errors, time: seconds(results.run.durationMs) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(element('testsuites', attributes, suites))}\n`;
}
