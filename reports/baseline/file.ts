/** A baseline file on the disk: read before anything is sent, written only for `--update-baseline`, whole or not at all. */
import { readFile, realpath } from 'node:fs/promises';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isCollection, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import { BASELINE_VERSION, type BaselineFile, baselineSchema } from '../../schemas/baseline.ts';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { writeWhole } from '../atomic.ts';
import type { Baseline, ReadEntry } from './baseline.ts';
import { mayBeFlaky } from './flaky.ts';
import type { Changes } from './update.ts';

// Reads the text of a baseline file. Any error in it is reported with file and line before anything is sent: a baseline
// that is misread would either hide a failure or report one that is expected.

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
addFormats.default(ajv);
const isBaselineFile = ajv.compile<BaselineFile>(baselineSchema);

const entryKeys = Object.keys(baselineSchema.properties.entries.items.properties).join(', ');

/** The entries in the order of the file. Throws UsageError, with `file` and the line, on any error. */
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

// Puts changes into the text of a baseline file. Comments, order and every word that people wrote stay as they are.

const HEADER = ` What proofload expects to fail, and why. Runs never write here, except with --update-baseline,
 which keeps comments and everything that people wrote. A reason that begins with TODO needs to be written.`;

const blank = `#${HEADER.replaceAll('\n', '\n#')}\nversion: ${BASELINE_VERSION}\nentries: []\n`;

/** The text with the changes in it; the same text, byte for byte, where there are none. `null`: a new file. */
export function editText(text: string | null, { added, seen, removed }: Changes): string {
  if (added.length + seen.length + removed.length === 0) return text ?? blank;
  const document = parseDocument(text ?? blank);
  const list = document.get('entries');
  if (!isSeq(list)) throw new Error('a baseline without its list of entries passed as one');
  for (const { index, fields } of seen) {
    const entry = list.get(index, true);
    if (!isMap(entry)) throw new Error('a baseline entry that is no map passed as one');
    for (const [key, value] of Object.entries(fields)) entry.set(key, value);
  }
  for (const index of [...removed].sort((a, b) => b - a)) list.delete(index);
  if (removed.includes(0)) list.commentBefore = withoutLastParagraph(list.commentBefore);
  if (list.items.length === 0 && added.length > 0) list.flow = false;
  for (const entry of added) list.add(document.createNode(entry));
  if (list.items.length === 0) list.flow = true;
  const written = document.toString({ lineWidth: 0 });
  return text?.includes('\r\n') ? written.replace(/\r?\n/g, '\r\n') : written;
}

/**
 * YAML gives a comment above the first entry to the list. Its last paragraph is about that entry, and above the next
 * one it would say something false; what stands above a blank line is about the list.
 */
function withoutLastParagraph(comment: string | null | undefined): string | null {
  const end = comment?.lastIndexOf('\n\n') ?? -1;
  return end < 0 ? null : (comment?.slice(0, end) ?? null);
}

/** Reads a baseline; a file that is missing is an empty one if it `mayBeMissing`. Throws UsageError naming file and line. */
export async function readBaseline(file: string, mayBeMissing: boolean): Promise<Baseline> {
  const text = await textOf(file);
  if (text !== null) return { file, text, entries: readEntries(text, file) };
  if (mayBeMissing) return { file, text, entries: [] };
  throw new UsageError(`--baseline ${file}: no such file; --update-baseline writes one from what a run sees`);
}

/**
 * Writes the changes and resolves with the new baseline. Throws an Error when the file can't be written, or was changed
 * since it was read.
 */
export async function writeBaseline(before: Baseline, changes: Changes): Promise<Baseline> {
  const { file } = before;
  if ((await textOf(file)) !== before.text) {
    throw new Error(`${file} was changed by another program during the run; nothing was written to it`);
  }
  const text = editText(before.text, changes);
  if (text !== before.text) {
    // Through a link, so that it stays one.
    const path = await realpath(file).catch(() => file);
    await writeWhole(path, text).catch((error: unknown) => {
      throw new Error(`the baseline can't be written to ${file} (${error instanceof Error ? error.message : error})`);
    });
  }
  return { file, text, entries: readEntries(text, file) };
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? 'unreadable';
    if (code === 'ENOENT') return null;
    throw new UsageError(`--baseline ${file}: cannot be read (${code})`);
  }
}
