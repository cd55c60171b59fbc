/**
 * Reading a request's body by the byte: what is too large is refused as soon as that is known, and what nobody needs is
 * read without being kept.
 */

export type BodyText = { readonly text: string } | { readonly tooLarge: true };

/** Whole body as text, or `tooLarge` once it is known to exceed `maxBytes`, if possible by its declared length. */
export async function readText(
  body: AsyncIterable<Uint8Array> | null,
  declared: string | null,
  maxBytes: number,
): Promise<BodyText> {
  if (declared !== null && Number(declared) > maxBytes) return { tooLarge: true };
  if (body === null) return { text: '' };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return { tooLarge: true };
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks, bytes).toString('utf8') };
}

/** Reads to the end and forgets: the operation needs no body, but its answer waits for the request to be complete. */
export async function discard(body: AsyncIterable<Uint8Array> | null): Promise<void> {
  if (body === null) return;
  for await (const _chunk of body);
}
