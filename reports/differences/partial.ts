/**
 * What can still be read of a JSON text that was cut: everything that was complete before the cut. Lists of models and
 * of requests are long, and evidence keeps only their beginning.
 */

interface Read {
  readonly value: unknown;
  /** Objects that the cut went through: what they lack may have stood behind it. */
  readonly torn: ReadonlySet<unknown>;
}

/** Cuts back to the last complete item or field and closes what is open. Null where nothing was complete. */
function mended(text: string): string | null {
  const open: string[] = [];
  let best: { readonly end: number; readonly close: string } | null = null;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (inText) {
      if (char === '\\') index += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') open.pop();
    const end = char === ',' ? index : index + 1;
    if (!inText && [',', '}', ']'].includes(char)) best = { end, close: [...open].reverse().join('') };
  }
  return best && text.slice(0, best.end) + best.close;
}

/** The value up to the cut, with the objects that are not whole; null where nothing can be read. */
export function readCut(text: string): Read | null {
  const whole = mended(text);
  if (whole === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(whole);
  } catch {
    return null;
  }
  // The cut goes through the last child of the last child, and so on: how deep doesn't matter, whole ones lose little.
  const torn = new Set<unknown>();
  let at: unknown = value;
  while (typeof at === 'object' && at !== null) {
    torn.add(at);
    at = Object.values(at).at(-1);
  }
  return { value, torn };
}
