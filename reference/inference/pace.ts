/** How long tokens take. With jitter every one of them takes a little more or less, by chance. */
import type { Call } from '../call.ts';

type Paced = Pick<Call, 'options' | 'random'>;

function varied(call: Paced, ms: number): number {
  const { jitter } = call.options;
  return jitter === 0 ? ms : ms * (1 + jitter * (2 * call.random() - 1));
}

/** Until the first token is there, milliseconds. */
export const firstTokenMs = (call: Paced): number => varied(call, call.options.firstTokenMs);

/** From one token to the next, milliseconds. */
export const interTokenMs = (call: Paced): number => varied(call, call.options.interTokenMs);

/** Until the last of so many tokens is there, milliseconds. */
export function wholeMs(call: Paced, tokens: number): number {
  let ms = firstTokenMs(call);
  if (call.options.jitter === 0) return ms + Math.max(0, tokens - 1) * call.options.interTokenMs;
  for (let token = 1; token < tokens; token += 1) ms += interTokenMs(call);
  return ms;
}
