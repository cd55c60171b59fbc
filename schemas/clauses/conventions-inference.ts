/** What clients of the chat-completion convention depend on although the documentation is silent. */
import { type Clause, INFERENCE, section } from './clause.ts';
import { type Breaks, typed } from './clients.ts';

const { convention } = section('2.5');
const in43 = section('4.3');

const COMPLETIONS = ['chat', 'completions'] as const;

const listed: Breaks = {
  'openai (npm)': 'throws when it goes through a list whose body has no data',
  'openai (Python)': 'throws when it goes through a list whose body has no data',
};

const read: Breaks = {
  '@ai-sdk/openai-compatible': 'refuses an answer without choices, a role or a text of their kinds',
  ...typed('id, created, model and usage', 'openai (npm)', 'openai (Python)'),
};

export const inferenceConventions: readonly Clause[] = [
  convention(
    'models.envelope',
    'The list is an object list whose data are objects with id.',
    'the list and its capabilities are documented, the names of its fields are not',
    listed,
    ['models'],
  ),
  convention(
    'models.retrieve',
    'A single model can be read below models by its id.',
    'only the list is documented',
    {
      'openai (npm)': 'models.retrieve() throws where the path is not there',
      'openai (Python)': 'models.retrieve() throws where the path is not there',
    },
    ['models'],
  ),
  convention(
    'chat.envelope',
    'A chat completion has id, object, created, model, choices and usage.',
    'a chat completion is documented, its fields are not',
    read,
    ['chat'],
  ),
  convention(
    'chat.finish-reason',
    'Every choice says why it ended.',
    'the response fields are not documented',
    {
      'openai (npm)': 'its helper for streams throws where a choice ends without a reason',
      LangChain: "can't distinguish an answer that was cut off at the token limit from a whole one",
    },
    ['chat'],
  ),
  convention(
    'chat.usage',
    'usage counts prompt, completion and total tokens, and they add up.',
    'the response fields are not documented',
    {
      LangChain: 'adds the counts up as the usage of a chain',
      LiteLLM: 'works out what a request has cost from them',
    },
    ['chat'],
  ),
  convention(
    'chat.options',
    'max_tokens, n, stop and the sampling fields of the convention are taken.',
    'request fields other than model and messages are not documented',
    {
      'openai (npm)': 'throws where a field it has a parameter for is refused',
      '@ai-sdk/openai-compatible': 'sends its settings by these names and throws where one is refused',
      LangChain: 'sends its settings by these names and throws where one is refused',
    },
    ['chat'],
  ),
  convention(
    'chat.roles',
    'The roles system and assistant are accepted as well as user.',
    'no role but user is documented',
    {
      '@ai-sdk/openai-compatible': 'sends instructions as system and earlier answers as assistant',
      LangChain: 'sends instructions as system and earlier answers as assistant',
    },
    ['chat'],
  ),
  convention(
    'chat.unknown-fields',
    'A request field that is not known does no harm.',
    'the documentation does not say what becomes of further fields',
    {
      '@ai-sdk/openai-compatible': 'passes the options of a provider on as fields of the request',
      'openai (Python)': 'passes extra_body on as fields of the request',
    },
    ['chat'],
  ),
  convention(
    'completions.envelope',
    'A text completion has id, object, created, model, choices and usage.',
    'a text completion is documented, its fields are not',
    {
      '@ai-sdk/openai-compatible': 'refuses an answer whose choices have no text or no reason for their end',
      ...typed('id, created, model and usage', 'openai (npm)', 'openai (Python)'),
    },
    ['completions'],
  ),
  convention(
    'inference.stream-framing',
    'With stream, events of JSON chunks come as text/event-stream.',
    'streaming is not documented for interface A',
    {
      'openai (npm)': 'reads the lines of an event stream and finds none',
      'openai (Python)': 'reads the lines of an event stream and finds none',
      '@ai-sdk/openai-compatible': 'refuses chunks that are not of this shape',
    },
    COMPLETIONS,
  ),
  convention(
    'inference.stream-end',
    'A stream ends with [DONE] and nothing follows.',
    'streaming is not documented for interface A',
    {
      'openai (npm)':
        'stops at [DONE] and loses what follows; without it, takes a stream that was cut off for a whole one',
      'openai (Python)':
        'stops at [DONE] and loses what follows; without it, takes a stream that was cut off for a whole one',
    },
    COMPLETIONS,
  ),
  convention(
    'inference.stream-incremental',
    'A stream is sent while it is made, not at its end.',
    'streaming is not documented for interface A',
    {
      '@ai-sdk/openai-compatible': 'shows nothing until the last word has been made',
      LangChain: 'shows nothing until the last word has been made',
    },
    COMPLETIONS,
  ),
  convention(
    'inference.stream-usage',
    'With include_usage a last chunk without choices counts the tokens.',
    'streaming is not documented for interface A',
    {
      LangChain: 'requests it with every stream and counts its tokens from there',
      '@ai-sdk/openai-compatible': 'counts the tokens of a stream from there',
    },
    COMPLETIONS,
  ),
  in43.convention(
    'inference.json',
    'Answers of interface A say in Content-Type that they are JSON.',
    'the format of responses is not documented',
    {
      'openai (npm)': 'returns a text instead of an object',
      'openai (Python)': 'returns a text instead of an object',
    },
    INFERENCE,
  ),
];
