/** The schemas of the OpenAPI document by name: requests, and responses in their two layers. */
import { type RequestName, requests } from '../requests/index.ts';
import { type JsonSchema, type ResponseName, responses } from '../responses/index.ts';
import { holdsList, saysSomething } from '../responses/schema.ts';

/** Bodies that have to be sent. */
const SENT: readonly RequestName[] = ['chat', 'completions', 'run', 'runsync'];
/** Only the checks distinguish a complete record from others. */
type PublicName = Exclude<ResponseName, 'status-complete'>;
type ComponentName = PublicName | `${RequestName}-request`;

/** `status-sync` becomes `StatusSync`. */
const typeName = (name: string): string =>
  name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

const reference = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` });

export const component = (name: ComponentName): { readonly $ref: string } => reference(typeName(name));

const SHARED: ReadonlyMap<JsonSchema, string> = new Map([
  [saysSomething, 'Something'],
  [holdsList, 'SomeList'],
]);

const TEXTS: Readonly<Record<string, string>> = {
  'chat-chunk': 'The data of one event of a stream. The last event is [DONE].',
  'completions-chunk': 'The data of one event of a stream. The last event is [DONE].',
};

/** What is documented, and which other fields clients read. */
function response(name: PublicName): JsonSchema {
  const { documented, convention } = responses[name];
  const shared = SHARED.get(documented);
  const promised = shared === undefined ? { 'x-proofload-level': 'documented', ...documented } : reference(shared);
  const text = TEXTS[name];
  return {
    ...(text === undefined ? {} : { description: text }),
    allOf: [promised, { 'x-proofload-level': 'convention', ...convention }],
  };
}

const isPublic = (name: string): name is PublicName => name in responses && name !== 'status-complete';

export function schemas(): Readonly<Record<string, JsonSchema>> {
  const sent = SENT.flatMap((name) => {
    const body = requests[name].body;
    return body === null ? [] : [[typeName(`${name}-request`), body.schema] as const];
  });
  const answered = Object.keys(responses)
    .filter(isPublic)
    .map((name) => [typeName(name), response(name)] as const);
  return {
    Something: { description: 'Anything but nothing.', 'x-proofload-level': 'documented', ...saysSomething },
    SomeList: { description: 'A list, or an object with one.', 'x-proofload-level': 'documented', ...holdsList },
    ...Object.fromEntries(sent),
    ...Object.fromEntries(answered),
  };
}
