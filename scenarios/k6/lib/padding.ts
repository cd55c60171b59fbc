/** The one character that large bodies are filled with: a byte in every encoding, and never escaped in JSON. */
export const PADDING = 'a';
