/** What a contract check saw, as evidence in its facts and in `results.json`. */
import { atLeastZero, flag, map, object, type TypeOf, text } from './schema-words.ts';

/** One request and its answer as evidence. Header values that hold a key are masked before they get here. */
export const exchange = object(
  { method: text, url: text, requestHeaders: map(text), durationMs: atLeastZero },
  {
    /** Shortened where it is long. */
    requestBody: text,
    /** Absent when no answer came; `error` then says why. */
    status: { type: 'integer', minimum: 0, maximum: 999 },
    responseHeaders: map(text),
    responseBody: text,
    error: text,
  },
);

/** One thing a check expected and what it saw instead or as well. */
export const expectation = object(
  { what: text, expected: text, observed: text, holds: flag },
  {
    /** Where in the contract's JSON Schema the break is, such as `chat/convention#/properties/usage/required`. */
    schemaPath: text,
  },
);

export type Exchange = TypeOf<typeof exchange>;
export type Expectation = TypeOf<typeof expectation>;
