/** Part 2 of the documentation: resources and their fields. */
import { type Clause, convention, gap, promise, unobservable } from './clause.ts';

const CONSOLE = 'the account settings, which are pages for people';

export const part2: readonly Clause[] = [
  unobservable('2.1', 'access-key.name', 'An access key carries a name, a text chosen by its owner.', CONSOLE),
  unobservable('2.1', 'access-key.description', 'An access key carries a description, a text of its owner.', CONSOLE),
  unobservable('2.1', 'access-key.shown', 'The value of an access key can be copied when it is created.', CONSOLE),
  unobservable('2.1', 'access-key.console', 'Access keys are made in the account settings, not by a request.', CONSOLE),
  promise('2.2', 'models.identifier', 'A model is named by an owner or family and a model name, joined by a slash.', [
    'models',
  ]),
  promise('2.2', 'inference.model-field', 'The field model of a request takes the identifier of a listed model.', [
    'chat',
    'completions',
  ]),
  promise('2.2', 'models.capabilities', 'The list says what each model can do.', ['models']),
  promise('2.3', 'chat.request', 'A JSON body with model and messages is all that a chat completion needs.', ['chat']),
  promise('2.3', 'chat.model-required', 'The field model belongs to every chat completion request.', ['chat']),
  promise('2.3', 'chat.messages-required', 'The field messages belongs to every chat completion request.', ['chat']),
  promise('2.3', 'chat.conversation', 'messages is a list of messages and holds the conversation so far.', ['chat']),
  promise('2.3', 'chat.role-user', 'A message has a role, and user is one of them.', ['chat']),
  promise('2.3', 'chat.content', 'A message has a content, which is its text.', ['chat']),
  promise('2.3', 'chat.json', 'The body of a chat completion request is JSON and says so in Content-Type.', ['chat']),
  convention(
    '2.3',
    'requests.charset',
    'A charset in the Content-Type of a JSON body changes nothing.',
    'the documentation shows application/json alone',
    { 'HttpClient (.NET)': 'sends application/json; charset=utf-8 with every JSON body, and is refused' },
    ['chat', 'completions', 'run', 'runsync'],
  ),
  promise('2.4', 'jobs.id-unique', 'No two jobs have the same id.', ['run']),
  promise('2.4', 'jobs.id-in-paths', 'The id that run gave addresses the job in every later path.', [
    'run',
    'status',
    'status-sync',
    'stream',
    'cancel',
  ]),
  promise(
    '2.4',
    'endpoint.workers-max',
    'An endpoint has at most WorkersMax workers, and the queue limit depends on it.',
    ['run', 'runsync'],
  ),
  gap('2.5', 'inference-request-fields', 'Further request fields of chat and text completions.', [
    'chat',
    'completions',
  ]),
  gap('2.5', 'message-roles', 'The roles that a message may have other than user.', ['chat']),
  gap('2.5', 'models-response', 'The fields of the list of models.', ['models']),
  gap('2.5', 'chat-response', 'The fields of a chat completion.', ['chat']),
  gap('2.5', 'completions-response', 'The fields of a text completion.', ['completions']),
  gap('2.5', 'job-record', 'The fields of a job record, by the state of the job.', ['status']),
];
