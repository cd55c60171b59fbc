/** What the fuzz tests build requests from: good and bad pieces of paths, headers and bodies. */
import fc from 'fast-check';
import { operationPath, operations } from '../../../schemas/operations.ts';

const ids = [
  'inst-1',
  'inst-queue',
  'inst-none',
  'x',
  '__proto__',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '%2F',
  'x'.repeat(10_000),
];

const id = fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'grapheme', maxLength: 8 }).map(encodeURIComponent));

export interface Target {
  readonly method: string;
  readonly path: string;
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'];

/** Those that read a body come more often: there is more to get wrong. */
const requested = operations.flatMap((one) =>
  /^(?:run|runsync|chat|completions)$/.test(one.id) ? [one, one, one] : [one],
);

const known: fc.Arbitrary<Target> = fc
  .record({
    operation: fc.constantFrom(...requested),
    instId: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('inst-1', 'inst-1', 'inst-queue', 'inst-none') },
      { weight: 1, arbitrary: id },
    ),
    jobId: id,
    other: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom(...methods)),
  })
  .chain(({ operation, instId, jobId, other }) =>
    fc.record({
      method: other === null ? fc.constantFrom(...operation.methods) : fc.constant(other),
      path: fc.constant(operationPath(operation.id, { instId, jobId })),
    }),
  );

const shards = ['/', '//', 'v1', 'api', 'sl', 'models', 'run', '..', '.', ';a=b', '%', '%ff', '\\', 'ü', ' '];

const broken: fc.Arbitrary<Target> = fc.record({
  method: fc.constantFrom(...methods),
  path: fc.array(fc.constantFrom(...shards), { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
});

const pair = fc
  .tuple(
    fc.constantFrom('wait', 'limit', 'offset', 'ttl', 'x', ''),
    fc.constantFrom('1', '-5', '1e999', 'NaN', '', '0.5', '%00', '%ff', '9'.repeat(400)),
  )
  .map((parts) => parts.join('='));

const query = fc.array(pair, { maxLength: 3 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));

export const target: fc.Arbitrary<Target> = fc
  .tuple(fc.oneof({ weight: 10, arbitrary: known }, { weight: 1, arbitrary: broken }), query)
  .map(([one, asks]) => ({ ...one, path: one.path + asks }));

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'x', 'acme/base-70b', 0, -1, 1, 129, 1e308, 0.5, 2 ** 70, [], {}, 'NaN'),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.double(),
);

const value = fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) });

const anyOf = (...names: readonly string[]): fc.Arbitrary<object> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

const workload = fc.record(
  {
    echo: value,
    delay_ms: fc.constantFrom<unknown>(0, 10, 5000, -1, 1e308, 'x'),
    chunks: fc.constantFrom<unknown>(0, 3, -1, 1e5, 'x'),
    chunk_delay_ms: fc.constantFrom<unknown>(0, 5, -1),
    fail: fc.constantFrom<unknown>('no', '', 5),
  },
  { requiredKeys: [] },
);

const submission = fc.record(
  {
    input: fc.oneof(workload, value),
    policy: fc.oneof(value, anyOf('executionTimeout', 'ttl', 'lowPriority')),
    webhook: value,
  },
  { requiredKeys: ['input'] },
);

const message = fc.oneof(
  fc.constant({ role: 'user', content: 'hi' }),
  anyOf('role', 'content', 'name', 'tool_calls', 'tool_call_id'),
);

const tool = fc
  .oneof(anyOf('type', 'properties', 'items', '$ref', 'enum', 'minItems', 'pattern', 'anyOf', 'required'), value)
  .map((parameters) => ({ type: 'function', function: { name: 'f', parameters } }));

const sampling = ['n', 'max_tokens', 'temperature', 'top_p', 'stop', 'stream', 'seed', 'logprobs', 'stream_options'];
const rarer = [
  'tools',
  'tool_choice',
  'response_format',
  'logit_bias',
  'user',
  'echo',
  'best_of',
  'suffix',
  '__proto__',
];

const chat = fc
  .record({
    base: fc.record({
      model: fc.constantFrom<unknown>('acme/base-70b', 'acme/base-70b', 'nobody/none', 5),
      messages: fc.oneof(fc.array(message, { maxLength: 3 }), value),
      prompt: fc.oneof(fc.constant('hi'), value, fc.array(value, { maxLength: 3 })),
    }),
    more: anyOf(...sampling, ...rarer),
    streamed: fc.boolean(),
    called: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, tool),
  })
  .map(({ base, more, streamed, called }) => ({
    ...base,
    ...(streamed ? { stream: true } : {}),
    ...(called ? { tools: [called], tool_choice: 'required' } : {}),
    ...more,
  }));

const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

const document = fc.oneof(submission, submission, chat, chat, chat, value).map((one) => JSON.stringify(one) ?? '');

const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

/** Good JSON, good JSON with one byte changed or an end missing, any bytes, and texts that resemble JSON. */
export const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 8, arbitrary: document.map(utf8) },
  {
    weight: 2,
    arbitrary: fc.tuple(document, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
      const bytes = utf8(text);
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(document, fc.nat()).map(([text, at]) => utf8(text.slice(0, at % (text.length + 1)))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constantFrom(deep, `{"input":${deep}}`, deep.slice(0, 9000)).map(utf8) },
);
