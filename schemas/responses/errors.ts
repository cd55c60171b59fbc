/** Error bodies. The documentation shows none; clients of each interface have come to read one shape each. */
import { anything, nonEmptyText, nullable, object, type ResponseSchema, saysSomething, text } from './schema.ts';

export const inferenceError: ResponseSchema = {
  documented: saysSomething,
  convention: object({
    error: object(
      { message: nonEmptyText, type: nullable(text) },
      { param: anything, code: { type: ['string', 'number', 'null'] } },
    ),
  }),
};

export const jobsError: ResponseSchema = {
  documented: saysSomething,
  convention: object({ error: nonEmptyText }),
};
