/**
 * Reading a request's body by the byte: a body that is too large is refused as soon as that is known, and a body that
 * is not needed is read without being kept.
 */
import { isUtf8 } from 'node:buffer';

/** The bytes of a request as they come. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  /**
   * All of them at once, for an adapter that has a cheaper way than piece by piece; null as soon as there are more than
   * `maxBytes`. Rejects when the client goes away before the end.
   */
  whole?(maxBytes: number): Promise<Uint8Array | null>;
}

export type BodyText = { readonly text: string } | { readonly fault: 'too-large' | 'not-utf8' };

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function gathered(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, bytes);
}

/** Whole body as text; `too-large` once it is known to exceed `maxBytes`, if possible by its declared length. */
export async function readText(body: RequestBody | null, declared: string | null, maxBytes: number): Promise<BodyText> {
  if (declared !== null && Number(declared) > maxBytes) return { fault: 'too-large' };
  if (body === null) return { text: '' };
  const bytes = await (body.whole ? body.whole(maxBytes) : gathered(body, maxBytes));
  if (bytes === null) return { fault: 'too-large' };
  const whole = asBuffer(bytes);
  // Decoding would put a replacement character where a byte is wrong, and the client would get back what it never sent.
  return isUtf8(whole) ? { text: whole.toString('utf8') } : { fault: 'not-utf8' };
}

/** Reads to the end and forgets: the operation needs no body, but its answer waits for the request to be complete. */
export async function discard(body: AsyncIterable<Uint8Array> | null): Promise<void> {
  if (body === null) return;
  for await (const _chunk of body);
}
