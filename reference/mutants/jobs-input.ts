/** Faults in what becomes of an input on its way to the handler, and of its output on the way back. */
import { isObject } from '../../schemas/json.ts';
import { body } from './answers.ts';
import { all, type Mutant, type Plant, reading } from './mutant.ts';

const SUBMISSIONS = ['run', 'runsync'] as const;
const MOST_CHARACTERS = 65_535;
const MOST_LEVELS = 10;
const SMALL = 2 ** 31;
/** So many bytes come at a time from most sockets. */
const PIECE_BYTES = 65_536;

const both = (make: (id: 'run' | 'runsync') => Plant): Plant => all(...SUBMISSIONS.map(make));

/** Each value inside an input read as something else; the wish itself stays an object. */
function eachValue(change: (value: unknown, depth: number) => unknown): Plant {
  const inside = (value: unknown, depth: number): unknown => {
    const changed = change(value, depth);
    if (Array.isArray(changed)) return changed.map((one) => inside(one, depth + 1));
    if (!isObject(changed)) return changed;
    return Object.fromEntries(Object.entries(changed).map(([key, one]) => [key, inside(one, depth + 1)]));
  };
  return both((id) => reading(id, (sent) => ('input' in sent ? { ...sent, input: inside(sent.input, 0) } : sent)));
}

const texts = (change: (text: string) => unknown): Plant =>
  eachValue((value) => (typeof value === 'string' ? change(value) : value));

const keys = (change: (entries: [string, unknown][]) => [string, unknown][]): Plant =>
  eachValue((value) => (isObject(value) ? Object.fromEntries(change(Object.entries(value))) : value));

/** What a plain assignment makes of it: `__proto__` is gone afterwards. */
function assigned(value: unknown): unknown {
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) copy[key] = one;
  return { ...copy };
}

const mutant = (name: string, does: string, apply: Plant): Mutant => ({ name, clauses: ['jobs.input'], does, apply });

/** The output of status and of runsync as something else. */
const outputs = (change: (output: unknown) => unknown): Plant =>
  all(
    ...(['status', 'runsync'] as const).map((id) =>
      body(id, (record) => ('output' in record ? { ...record, output: change(record.output) } : record)),
    ),
  );

const outputTexts = (change: (text: string) => string): Plant =>
  outputs((output) => (typeof output === 'string' ? change(output) : output));

/** What is left of a text when each piece of its bytes is decoded by itself. */
function decodedInPieces(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(new TextDecoder().decode(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return pieces.join('');
}

export const jobsInputMutants: readonly Mutant[] = [
  mutant(
    'input-texts-trimmed',
    'takes the space around the texts of an input away',
    texts((text) => text.trim()),
  ),
  mutant(
    'input-texts-parsed',
    'reads texts of an input such as "12" as numbers',
    texts((text) => (/^\d+$/.test(text) ? Number(text) : text)),
  ),
  mutant(
    'input-texts-composed',
    'composes the letters of an input that came in parts',
    texts((text) => text.normalize('NFC')),
  ),
  mutant(
    'input-without-controls',
    'takes control characters out of the texts of an input',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
    texts((text) => text.replaceAll(/[\u0001-\u001f]/g, '')),
  ),
  mutant(
    'input-texts-cut',
    `cuts the texts of an input after ${MOST_CHARACTERS} characters`,
    texts((text) => text.slice(0, MOST_CHARACTERS)),
  ),
  mutant(
    'input-large-numbers-cut',
    'keeps only 32 bits of the whole numbers of an input',
    eachValue((value) => (Number.isSafeInteger(value) && Math.abs(Number(value)) >= SMALL ? Number(value) | 0 : value)),
  ),
  mutant(
    'input-levels-cut',
    `drops what is deeper than ${MOST_LEVELS} levels in an input`,
    eachValue((value, depth) => (depth > MOST_LEVELS ? null : value)),
  ),
  mutant(
    'input-nulls-dropped',
    'drops the fields of an input that are null',
    keys((entries) => entries.filter(([, value]) => value !== null)),
  ),
  mutant(
    'input-empties-dropped',
    'drops the fields of an input that are empty, false or zero',
    keys((entries) => entries.filter(([, value]) => Boolean(value))),
  ),
  mutant(
    'input-keys-lowered',
    'writes the keys of an input in small letters',
    keys((entries) => entries.map(([key, value]) => [key.toLowerCase(), value])),
  ),
  mutant('input-prototype-lost', 'loses the key __proto__ of an input', eachValue(assigned)),
  mutant(
    'outputs-as-objects',
    'puts an output that is no object and no text into one',
    outputs((output) => (isObject(output) || typeof output === 'string' ? output : { value: output })),
  ),
  mutant(
    'outputs-of-nothing-lost',
    'takes an output that is false, zero or empty for none',
    outputs((output) => (Array.isArray(output) && output.length === 0 ? null : output || null)),
  ),
  mutant(
    'input-lists-flattened',
    'takes the lists in the lists of an input apart',
    eachValue((value) => (Array.isArray(value) ? value.flat() : value)),
  ),
  mutant(
    'output-texts-trimmed',
    'takes the blanks around an output away that is a mere text',
    outputTexts((text) => text.trim()),
  ),
  mutant(
    'texts-decoded-in-pieces',
    'decodes long texts piece by piece, and loses the letters that are cut in two',
    outputTexts(decodedInPieces),
  ),
];
