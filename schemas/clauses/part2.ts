/** Part 2 of the documentation: resources and their fields. */
import { type Clause, COMPLETING, section } from './clause.ts';

const { convention, promise } = section('2.3');
const in21 = section('2.1');
const in22 = section('2.2');
const in24 = section('2.4');
const in25 = section('2.5');

const CONSOLE = 'the account settings, which are pages for people';

export const part2: readonly Clause[] = [
  in21.unobservable('access-key.name', 'An access key carries a name, a text chosen by its owner.', CONSOLE),
  in21.unobservable('access-key.description', 'An access key carries a description, a text of its owner.', CONSOLE),
  in21.unobservable('access-key.shown', 'The value of an access key can be copied when it is created.', CONSOLE),
  in21.unobservable('access-key.console', 'Access keys are made in the account settings, not by a request.', CONSOLE),
  in22.promise('models.identifier', 'A model is named by an owner or family and a model name, joined by a slash.', [
    'models',
  ]),
  in22.promise(
    'inference.model-field',
    'The field model of a request takes the identifier of a listed model.',
    COMPLETING,
  ),
  in22.promise('models.capabilities', 'The list says what each model can do.', ['models']),
  promise('chat.request', 'A JSON body with model and messages is all that a chat completion needs.', ['chat']),
  promise('chat.model-required', 'The field model belongs to every chat completion request.', ['chat']),
  promise('chat.messages-required', 'The field messages belongs to every chat completion request.', ['chat']),
  promise('chat.conversation', 'messages is a list of messages and holds the conversation so far.', ['chat']),
  promise('chat.role-user', 'A message has a role, and user is one of them.', ['chat']),
  promise('chat.content', 'A message has a content, which is its text.', ['chat']),
  promise('chat.json', 'The body of a chat completion request is JSON and says so in Content-Type.', ['chat']),
  convention(
    'requests.charset',
    'A charset in the Content-Type of a JSON body changes nothing.',
    'the documentation shows application/json alone',
    { 'HttpClient (.NET)': 'sends application/json; charset=utf-8 with every JSON body, and is refused' },
    ['chat', 'completions', 'run', 'runsync'],
  ),
  in24.promise('jobs.id-unique', 'No two jobs have the same id.', ['run']),
  in24.promise('jobs.id-in-paths', 'The id that run gave addresses the job in every later path.', [
    'run',
    'status',
    'status-sync',
    'stream',
    'cancel',
  ]),
  in24.promise(
    'endpoint.workers-max',
    'An endpoint has at most WorkersMax workers, and the queue limit depends on it.',
    ['run', 'runsync'],
  ),
  in25.gap('inference-request-fields', 'Further request fields of chat and text completions.', COMPLETING),
  in25.gap('message-roles', 'The roles that a message may have other than user.', ['chat']),
  in25.gap('models-response', 'The fields of the list of models.', ['models']),
  in25.gap('chat-response', 'The fields of a chat completion.', ['chat']),
  in25.gap('completions-response', 'The fields of a text completion.', ['completions']),
  in25.gap('job-record', 'The fields of a job record, by the state of the job.', ['status']),
];
