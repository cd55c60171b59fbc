/**
 * What chat and text completions have in common: choices that are known beforehand, told whole after the time they take
 * or token by token as an event stream.
 */
import type { Call } from '../call.ts';
import { hex } from '../ids.ts';
import { json, type Reply } from '../reply.ts';
import { eventStream } from './sse.ts';

export interface Choice {
  readonly index: number;
  /** What the stream sends one by one. */
  readonly pieces: readonly string[];
  readonly finish: string;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** How one of the two operations puts a choice into JSON. */
export interface Shape<C extends Choice> {
  readonly idPrefix: string;
  readonly wholeObject: string;
  readonly chunkObject: string;
  whole(choice: C): object;
  /** Sent before the first piece; null for nothing. */
  open(choice: C): object | null;
  piece(choice: C, at: number): object;
  close(choice: C): object;
  /** More about usage than the three numbers. */
  readonly usageDetails: object;
}

export function usageOf(promptTokens: number, choices: readonly Choice[]): Usage {
  const completion = choices.reduce((sum, choice) => sum + choice.pieces.length, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
  };
}

/** The choices as one answer or as a stream, in the time that their tokens take. Choices are made side by side. */
export async function answer<C extends Choice>(
  call: Call,
  asked: { model: string; stream?: boolean | null; stream_options?: { include_usage?: boolean } | null },
  choices: readonly C[],
  promptTokens: number,
  shape: Shape<C>,
): Promise<Reply> {
  const { clock, options, random, signal } = call;
  const head = {
    id: `${shape.idPrefix}-${hex(random, 24)}`,
    created: Math.floor(clock.now() / 1000),
    model: asked.model,
    system_fingerprint: 'fp_reference',
  };
  const usage = { ...usageOf(promptTokens, choices), ...shape.usageDetails };
  if (asked.stream) {
    const withUsage = asked.stream_options?.include_usage === true;
    const chunk = (parts: readonly object[], last = false): object => ({
      ...head,
      object: shape.chunkObject,
      choices: parts,
      ...(withUsage ? { usage: last ? usage : null } : {}),
    });
    return eventStream(call, choices, shape, chunk, withUsage);
  }
  const steps = Math.max(1, ...choices.map((choice) => choice.pieces.length));
  await clock.sleep(options.firstTokenMs + (steps - 1) * options.interTokenMs, signal);
  return json(200, { ...head, object: shape.wholeObject, choices: choices.map(shape.whole), usage });
}
