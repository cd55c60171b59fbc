/** Planting faults into answers on their way out: most faults a client can see are one answer changed. */
import { isObject } from '../../schemas/json.ts';
import { type DocumentedOperationId, operations } from '../../schemas/operations.ts';
import { json, type Reply } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { type Plant, rules } from './mutant.ts';

export type Body = Readonly<Record<string, unknown>>;
/** The answer that goes out instead; the same one where the fault has nothing to do with it. */
export type Alter = (reply: Reply, about: Outgoing) => Reply | Promise<Reply>;
type When = (about: Outgoing) => boolean;

export const jobIds: readonly (DocumentedOperationId | null)[] = operations
  .filter((one) => one.interface === 'jobs')
  .map((one) => one.id);

/** Changes answers, after the faults that were planted before. */
export function answers(alter: Alter): Plant {
  return withMemory(() => alter);
}

/** The same for a fault that remembers what it has seen: made for each service. */
export function withMemory(make: () => Alter): Plant {
  return (options) => {
    const before = options.rules.outgoing;
    const alter = make();
    const outgoing: Alter = before ? async (reply, about) => alter(await before(reply, about), about) : alter;
    return rules({ outgoing })(options);
  };
}

export const succeeded = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300;

/** The JSON object in an answer, or null where it holds none. */
export function bodyOf(reply: Reply): Body | null {
  if (typeof reply.body !== 'string') return null;
  const value: unknown = JSON.parse(reply.body);
  return isObject(value) ? value : null;
}

/** The same answer with another body. */
export const withBody = (reply: Reply, value: unknown): Reply => ({ ...reply, body: JSON.stringify(value) });

/** Changes the bodies of successful answers of one operation, for certain requests. */
export function body(
  id: DocumentedOperationId,
  change: (body: Body, about: Outgoing) => unknown,
  when: When = always,
): Plant {
  return answers((reply, about) => {
    const before = about.id === id && succeeded(reply) && when(about) ? bodyOf(reply) : null;
    return before ? withBody(reply, change(before, about)) : reply;
  });
}

const always: When = () => true;

/** The same, for certain bodies. */
export function bodyIf(
  id: DocumentedOperationId,
  applies: (body: Body) => boolean,
  change: (body: Body) => unknown,
): Plant {
  return body(id, (before) => (applies(before) ? change(before) : before));
}

/** The same for a fault that remembers the bodies it has seen: made for each service. */
export function bodyWithMemory(id: DocumentedOperationId, make: () => (body: Body) => unknown): Plant {
  return (options) => body(id, make())(options);
}

/** Answers one operation, or one of its methods, with something else. What a limit refuses stays refused. */
export function instead(id: DocumentedOperationId, status: number, value: unknown, when: When = always): Plant {
  return answers((reply, about) =>
    about.id === id && about.refusedBy === null && when(about) ? json(status, value) : reply,
  );
}

/** Another status for an answer, chosen by the answer itself. */
export function statusWhere(applies: (reply: Reply, about: Outgoing) => boolean, status: number): Plant {
  return answers((reply, about) => (applies(reply, about) ? { ...reply, status } : reply));
}

/** Another answer in place of certain answers. */
export function replyWhere(applies: (reply: Reply, about: Outgoing) => boolean, status: number, value: unknown): Plant {
  return answers((reply, about) => (applies(reply, about) ? json(status, value) : reply));
}

/** Changes the event stream of an operation of interface A; `change` gets its pieces of text. */
export function events(
  ids: readonly (DocumentedOperationId | null)[],
  change: (pieces: AsyncIterable<string>) => AsyncIterable<string>,
): Plant {
  return answers((reply, about) =>
    ids.includes(about.id) && typeof reply.body !== 'string' ? { ...reply, body: change(reply.body) } : reply,
  );
}

/** What the closing event of a stream says. */
export const DONE = '[DONE]';

/** The same, chunk by chunk, each the JSON of an event; one may become several. The closing event has none. */
export function eachChunk(
  ids: readonly (DocumentedOperationId | null)[],
  make: () => (chunk: unknown) => readonly unknown[],
): Plant {
  return events(ids, (pieces) => {
    const change = make();
    const changed = (data: string): readonly string[] =>
      data === DONE ? [data] : change(JSON.parse(data)).map((one) => JSON.stringify(one));
    return mapped(pieces, (piece) =>
      piece
        .split('\n\n')
        .filter((event) => event !== '')
        .flatMap((event) => changed(event.replace(/^data: /, '')))
        .map((data) => `data: ${data}\n\n`)
        .join(''),
    );
  });
}

async function* mapped(pieces: AsyncIterable<string>, change: (piece: string) => string): AsyncGenerator<string> {
  for await (const piece of pieces) yield change(piece);
}
