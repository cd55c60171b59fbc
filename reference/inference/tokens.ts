/** A stand-in for a tokenizer: words with the space before them, and signs. Good for usage that adds up. */

/** How many tokens a prompt counts. */
export function countTokens(text: string): number {
  return text.match(/\w+|[^\s\w]/gu)?.length ?? 0;
}

/** Cuts a text into tokens; joined together they are the text again. */
export function splitTokens(text: string): string[] {
  return text.match(/\s*\w+|\s*[^\s\w]|\s+$/gu) ?? [];
}
