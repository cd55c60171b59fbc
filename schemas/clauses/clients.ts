/**
 * The clients that conventions are about, each by one name, and what breaks in them. A convention without a client that
 * breaks is not needed: it is recorded, and no service is warned for it.
 */

export const clientNames = [
  'openai (npm)',
  'openai (Python)',
  '@ai-sdk/openai-compatible',
  'LangChain',
  'LiteLLM',
  'runpod-sdk (npm)',
  'runpod (Python)',
  'runpod-go',
  'HttpClient (.NET)',
  'readers of requests',
] as const;

/** The last one stands for the programs that read the list of requests, which no published client has a call for. */
export type ClientName = (typeof clientNames)[number];

/** What goes wrong in each client where a convention is not kept, as a sentence without its subject. */
export type Breaks = Readonly<Partial<Record<ClientName, string>>>;

/** A refusal needs a status that keeps clients from retrying. */
export const AGAIN: Breaks = {
  'openai (npm)': 'sends the same twice more after a 408, 409, 429 or any 5xx, and reads a 2xx as success',
  'openai (Python)': 'sends the same twice more after a 408, 409, 429 or any 5xx, and reads a 2xx as success',
  LiteLLM: 'takes the whole deployment out of its rotation after a 5xx',
};

/** The same goes wrong in each of these. */
export const each = (what: string, ...names: readonly ClientName[]): Breaks =>
  Object.fromEntries(names.map((name) => [name, what]));

/** The types that a client publishes for an answer: programs written against them read fields that are not there. */
export const typed = (fields: string, ...names: readonly ClientName[]): Breaks =>
  each(`promises ${fields} in its types: programs find nothing there`, ...names);
