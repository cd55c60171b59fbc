/** Faults that independent testers thought of and that got through: odd inputs, texts at their ends and in pieces. */
import { jobError, Refusal } from '../errors.ts';
import { body } from './answers.ts';
import { all, isObject, type Mutant, type Plant, reading } from './mutant.ts';

const BROKEN = 500;
/** So many bytes come at a time from most sockets. */
const PIECE_BYTES = 65_536;

/** The texts that status and runsync give as outputs, as something else. */
const outputTexts = (change: (text: string) => string): Plant =>
  all(
    ...(['status', 'runsync'] as const).map((id) =>
      body(id, (record) => {
        const { output } = record;
        return typeof output === 'string' ? { ...record, output: change(output) } : record;
      }),
    ),
  );

/** What is left of a text when each piece of its bytes is decoded by itself. */
function decodedInPieces(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(new TextDecoder().decode(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return pieces.join('');
}

export const secondLookMutants: readonly Mutant[] = [
  {
    name: 'run-input-no-object-breaks-it',
    clauses: ['jobs.input'],
    does: 'breaks down where the input of run is JSON, but no object',
    apply: reading('run', (sent) => {
      if ('input' in sent && !isObject(sent.input)) throw new Refusal(jobError(BROKEN, 'TypeError'));
      return sent;
    }),
  },
  {
    name: 'output-texts-trimmed',
    clauses: ['jobs.input'],
    does: 'takes the blanks around an output away that is a mere text',
    apply: outputTexts((text) => text.trim()),
  },
  {
    name: 'texts-decoded-in-pieces',
    clauses: ['jobs.input'],
    does: 'decodes long texts piece by piece, and loses the letters that are cut in two',
    apply: outputTexts(decodedInPieces),
  },
];
