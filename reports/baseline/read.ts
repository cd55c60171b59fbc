/**
 * Reads the text of a baseline file. Whatever is wrong with it is said with file and line before anything is sent: a
 * baseline that is misread would either hide a failure or cry at one that is expected.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isCollection, isMap, isNode, LineCounter, parseDocument } from 'yaml';
import type { BaselineFile } from '../../schemas/baseline.ts';
import { baselineSchema } from '../../schemas/baseline.ts';
import { UsageError } from '../../schemas/target.ts';
import type { ReadEntry } from './baseline.ts';
import { mayBeFlaky } from './flaky.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
addFormats.default(ajv);
const isBaselineFile = ajv.compile<BaselineFile>(baselineSchema);

const entryKeys = Object.keys(baselineSchema.properties.entries.items.properties).join(', ');

/** The entries in the order of the file. Throws UsageError, with `file` and the line, on whatever can't be meant. */
export function readEntries(text: string, file: string): ReadEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const problem = document.errors[0];
  if (problem) throw new UsageError(`${at(problem.pos[0])}: ${problem.message.split('\n')[0]}`);
  /** Where the deepest part of this path stands that is there at all. */
  const place = (path: readonly (string | number)[]): string => {
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    if (!isNode(node)) return path.length === 0 ? `${file}:1` : place(path.slice(0, -1));
    return at(keyOffset(document.getIn(path.slice(0, -1)), path.at(-1)) ?? node.range?.[0] ?? 0);
  };
  const data: unknown = document.toJS();
  if (!isBaselineFile(data)) {
    const error = isBaselineFile.errors?.find((one) => one.keyword !== 'if');
    if (!error) throw new UsageError(`${file}:1: expected 'version: 1' and 'entries:'`);
    throw new UsageError(`${place(pathOf(error, data))}: ${complaint(error)}`);
  }
  const entries = data.entries.map((entry, index) => ({ ...entry, at: place(['entries', index]) }));
  requireDistinct(entries);
  for (const entry of entries) requireTiming(entry);
  return entries;
}

/** A value on the lines after its key is best pointed at by the key. */
function keyOffset(parent: unknown, key: string | number | undefined): number | undefined {
  if (!isCollection(parent) || !isMap(parent)) return undefined;
  const pair = parent.items.find((one) => String(one.key) === key);
  return pair && isNode(pair.key) ? pair.key.range?.[0] : undefined;
}

function pathOf(error: ErrorObject, data: unknown): (string | number)[] {
  const path = error.instancePath.split('/').slice(1);
  const surplus: unknown = error.params.additionalProperty;
  if (data === null) return [];
  return [...path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)), ...(surplus ? [String(surplus)] : [])];
}

function complaint({ keyword, instancePath, params }: ErrorObject): string {
  const key = instancePath.split('/').at(-1) ?? '';
  const inEntry = instancePath.startsWith('/entries/');
  switch (keyword) {
    case 'additionalProperties':
      return `unknown key '${params.additionalProperty}'; ${inEntry ? `an entry takes ${entryKeys}` : 'a baseline takes version, entries'}`;
    case 'required':
      if (params.missingProperty === 'expires') return 'a flaky entry needs expires, a date such as 2026-12-01';
      return inEntry ? `the entry needs ${params.missingProperty}` : `a baseline needs ${params.missingProperty}`;
    case 'const':
      return `${key} takes 1`;
    case 'enum':
      return `${key} takes fail or warn`;
    case 'format':
      return `${key} takes a date such as 2026-12-01`;
    case 'pattern':
      return key === 'check' ? 'check takes the exact id of one check, without wildcards' : `${key} must not be empty`;
    default:
      if (/^\/entries\/\d+$/.test(instancePath)) return 'expected an entry such as { check, target, expect, reason }';
      return instancePath === ''
        ? "expected 'version: 1' and 'entries:'"
        : `${key} ${key === 'entries' ? 'takes a list' : `takes ${[params.type].flat().join(' or ')}`}`;
  }
}

function requireDistinct(entries: readonly ReadEntry[]): void {
  const seen = new Map<string, ReadEntry>();
  for (const entry of entries) {
    const key = `${entry.check} ${entry.target}`;
    const before = seen.get(key);
    if (before) throw new UsageError(`${entry.at}: ${entry.check} on ${entry.target} is listed before (${before.at})`);
    seen.set(key, entry);
  }
}

function requireTiming({ at, check, flaky }: ReadEntry): void {
  if (!flaky || mayBeFlaky(check)) return;
  throw new UsageError(
    `${at}: ${check} can't be flaky: only checks about concurrency or timing can; leave flaky off, ` +
      'and the entry holds until it passes',
  );
}
