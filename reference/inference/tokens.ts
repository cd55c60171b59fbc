/** A stand-in for a tokenizer: words with the space before them, and signs. Good for usage that adds up. */

const TOKEN = /\s*[\p{L}\p{N}_]+|\s*[^\s\p{L}\p{N}_]|\s+$/gu;

/** How many tokens a text is cut into. Keeps none of them: prompts may be millions long. */
export function countTokens(text: string): number {
  let count = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.test(text)) count += 1;
  return count;
}

/** Cuts a text into tokens; joined together they are the text again. */
export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}
