/** The fields that chat and text completions share. Only `model` is documented; the bounds are those of the convention. */
import { nonEmptyText } from '../responses/schema.ts';
import { convention, documented, type Fields, flag, integer, number, object, optional } from './request.ts';

export const model = documented(nonEmptyText, 'The identifier of a listed model.');

const streamOptions = optional({
  ...object({}, { include_usage: flag, include_obfuscation: flag }),
  type: 'object',
});

export const sampling: Fields = {
  n: convention(integer(1, 128), 'how many choices to make.'),
  temperature: convention(number(0, 2), 'how freely to choose.'),
  top_p: convention(number(0, 1), 'the share of the probability to choose from.'),
  presence_penalty: convention(number(-2, 2), 'against what was said before.'),
  frequency_penalty: convention(number(-2, 2), 'against what was often said before.'),
  logit_bias: convention(
    optional({ type: 'object', additionalProperties: { type: 'number', minimum: -100, maximum: 100 } }),
    'by token, for or against it.',
  ),
  stop: convention(
    optional({ type: ['string', 'array'], items: { type: 'string' }, minItems: 1, maxItems: 4 }),
    'where the text ends; not part of it.',
  ),
  seed: convention(optional({ type: 'integer' }), 'for the same choice again.'),
  user: convention(optional({ type: 'string' }), 'whose request it is.'),
  stream: convention(flag, 'whether to answer in server-sent events.'),
  stream_options: convention(streamOptions, 'how to stream; only with stream.'),
};

/** stream_options say nothing without a stream. */
export const streamOptionsNeedStream = {
  if: { not: { required: ['stream'], properties: { stream: { const: true } } } },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: { properties: { stream_options: { type: 'null' } } },
};
