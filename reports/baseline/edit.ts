/** Puts changes into the text of a baseline file. Comments, order and every word that people wrote stay as they are. */
import { isMap, isSeq, parseDocument } from 'yaml';
import { BASELINE_VERSION } from '../../schemas/baseline.ts';
import type { Changes } from './update.ts';

const HEADER = ` What proofload expects to fail, and why. Runs never write here, except with --update-baseline,
 which keeps comments and everything that people wrote. A reason that begins with TODO asks for words.`;

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
