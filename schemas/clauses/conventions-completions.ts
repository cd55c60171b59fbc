/**
 * What clients depend on in the details of chat and text completions: what a request may hold, what an answer says of
 * itself, and what becomes of a request that can't be served.
 */
import { type Clause, section } from './clause.ts';
import { AGAIN } from './clients.ts';

const { convention } = section('2.5');
const in7 = section('7');

const BOTH = ['chat', 'completions'] as const;

export const completionConventions: readonly Clause[] = [
  convention(
    'inference.created',
    'created is when the answer was made, in seconds.',
    'the response fields are not documented',
    { '@ai-sdk/openai-compatible': 'shows a date thousands of years away where it is in milliseconds' },
    BOTH,
  ),
  convention(
    'inference.length',
    'A text that was cut off at the token limit ended for the reason length, and no other did.',
    'neither token limits of a request nor reasons for an end are documented',
    {
      'openai (npm)': 'throws LengthFinishReasonError for this reason alone where an answer is to be parsed',
      'openai (Python)': 'throws LengthFinishReasonError for this reason alone where an answer is to be parsed',
      '@ai-sdk/openai-compatible': 'takes what was cut off for the whole text',
    },
    BOTH,
  ),
  convention(
    'inference.own-answer',
    'Requests at the same time get an answer each, to their own request.',
    'streaming is not documented; that a whole response belongs to its request is',
    {
      LangChain: 'sends the requests of a batch at once and gives each caller what came for its request',
      LiteLLM: 'works out what each request has cost from its own answer',
    },
    BOTH,
  ),
  convention(
    'chat.tool-calls',
    'A tool call has an id, the name of the function and its arguments as a JSON text; a stream has them in pieces.',
    'tools are not documented',
    {
      '@ai-sdk/openai-compatible': 'throws where a tool call has no name, or begins in a stream without id or name',
      LangChain: 'treats calls with unreadable arguments as invalid',
    },
    ['chat'],
  ),
  convention(
    'completions.options',
    'max_tokens, stop, the sampling fields of the convention and fields that are not known are taken.',
    'request fields other than the prompt are not documented',
    {
      'openai (npm)': 'throws where a field it has a parameter for is refused',
      '@ai-sdk/openai-compatible': 'sends its settings by these names and throws where one is refused',
      LangChain: 'sends its settings by these names and throws where one is refused',
    },
    ['completions'],
  ),
  convention(
    'completions.usage',
    'usage counts prompt, completion and total tokens, and they add up.',
    'the response fields are not documented',
    {
      LangChain: 'adds the counts up as the usage of a chain',
      LiteLLM: 'works out what a request has cost from them',
    },
    ['completions'],
  ),
  in7.convention(
    'inference.no-breakdown',
    "A request that can't be served is refused with a 4xx, not with a 5xx.",
    'no error status but the 429 of the queue is documented',
    AGAIN,
    BOTH,
  ),
];
