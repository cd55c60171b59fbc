/**
 * What chat and text completions have in common: choices that are known beforehand, sent whole after the time they take
 * or token by token as an event stream. The time is spent on one of the instances; the words never depend on which.
 */
import type { Call } from '../call.ts';
import { hex } from '../ids.ts';
import { json, type Reply } from '../reply.ts';
import { SERVED_BY, workedFor, workOf } from './balancer/lease.ts';
import { eventStream, framesOf, wholeMs } from './sse.ts';

export interface Choice {
  readonly index: number;
  /** What the stream sends one by one. */
  readonly pieces: readonly string[];
  readonly finish: string;
}

/** A complete answer that only has to be sent. */
export interface Made<C extends Choice> {
  readonly choices: readonly C[];
  readonly promptTokens: number;
  /** Tokens of everything that was generated, also of what isn't shown. */
  readonly completionTokens: number;
  /** Tokens of the longest text that was generated: texts are made side by side. */
  readonly steps: number;
}

/** How one of the two operations puts a choice into JSON. */
export interface Shape<C extends Choice> {
  readonly idPrefix: string;
  readonly wholeObject: string;
  readonly chunkObject: string;
  /** Fields of every answer and chunk, in addition to the common ones. */
  readonly head: object;
  whole(choice: C): object;
  /** Sent before the first piece; null for nothing. */
  open(choice: C): object | null;
  piece(choice: C, at: number): readonly object[];
  close(choice: C): object;
  /** More about usage than the three numbers. */
  readonly usageDetails: object;
}

export interface Requested {
  readonly model: string;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean | null } | null;
}

/** Everything that was shown counts as generated. */
export function madeOf<C extends Choice>(choices: readonly C[], promptTokens: number): Made<C> {
  const lengths = choices.map((choice) => choice.pieces.length);
  const completionTokens = lengths.reduce((sum, length) => sum + length, 0);
  return { choices, promptTokens, completionTokens, steps: Math.max(...lengths) };
}

/** The choices as one answer or as a stream, in the time that their tokens take. */
export async function answer<C extends Choice>(
  call: Call,
  requested: Requested,
  made: Made<C>,
  shape: Shape<C>,
): Promise<Reply> {
  const { choices, promptTokens, completionTokens } = made;
  const head = {
    id: `${shape.idPrefix}-${hex(call.random, 24)}`,
    object: requested.stream ? shape.chunkObject : shape.wholeObject,
    created: Math.floor(call.clock.now() / 1000),
    model: requested.model,
    system_fingerprint: 'fp_reference',
    ...shape.head,
  };
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...shape.usageDetails,
  };
  if (requested.stream) {
    const reported = requested.stream_options?.include_usage === true ? usage : null;
    return eventStream(call, choices, shape, framesOf(head, reported));
  }
  const servedBy = await workedFor(workOf(call), () => wholeMs(call, made.steps));
  const body = Object.assign(head, { choices: choices.map(shape.whole), usage });
  return json(200, body, { [SERVED_BY]: servedBy });
}
