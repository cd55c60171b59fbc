/** How long tokens take. With jitter every one of them takes a little more or less, by chance. */
import type { Call } from '../call.ts';

function varied(call: Call, ms: number): number {
  const { jitter } = call.options;
  return jitter === 0 ? ms : ms * (1 + jitter * (2 * call.random() - 1));
}

/** Until the first token is there, milliseconds. */
export const firstTokenMs = (call: Call): number => varied(call, call.options.firstTokenMs);

/** From one token to the next, milliseconds. */
export const interTokenMs = (call: Call): number => varied(call, call.options.interTokenMs);

/** Until the last of so many tokens is there, milliseconds. */
export function wholeMs(call: Call, tokens: number): number {
  let ms = firstTokenMs(call);
  if (call.options.jitter === 0) return ms + Math.max(0, tokens - 1) * call.options.interTokenMs;
  for (let token = 1; token < tokens; token += 1) ms += interTokenMs(call);
  return ms;
}
