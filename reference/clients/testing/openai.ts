/** A client of the npm package `openai` at a place, and its scenarios. */
import OpenAI, { type ClientOptions } from 'openai';
import type { ReferenceOptions } from '../../options.ts';
import { KEY } from '../../testing/harness.ts';
import type { Open, Place } from './place.ts';

export const MODEL = 'acme/base-70b';
export const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Say something.' }];
export const ASKED = { model: MODEL, messages: MESSAGES };

/** Retries are off unless a test is about them: they would hide refusals. */
export function clientAt({ url, fetch }: Place, options: ClientOptions = {}): OpenAI {
  return new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0, fetch, ...options });
}

export async function openClient(open: Open, overrides: Partial<ReferenceOptions> = {}): Promise<OpenAI> {
  return clientAt(await open(overrides));
}

/** Everything an async iterable yields. */
export async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}
