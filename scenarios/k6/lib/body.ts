/**
 * A valid job of exactly so many bytes. Most of it is padding inside its `input`, which the handler ignores: beside the
 * quick workload's own fields where the input has fields, else where it has a place for a text.
 */
import { type Addresses, quickJob } from '../../execute/requests.ts';

export interface Frame {
  readonly head: string;
  readonly tail: string;
  /** Bytes of the smallest body that can be built. */
  readonly smallest: number;
}

const PAD = 0x61;
const MARK = 'proofload-padding';

/** What stands before and behind the padding of a quick job. */
export function frameOf(addresses: Addresses): Frame {
  const body: unknown = JSON.parse(quickJob(addresses));
  const text = ascii(JSON.stringify(padded(body)));
  const at = text.lastIndexOf(MARK);
  const [head, tail] = [text.slice(0, at), text.slice(at + MARK.length)];
  return { head, tail, smallest: head.length + tail.length };
}

/** Throws on fewer bytes than the frame has. */
export function bodyOf({ head, tail, smallest }: Frame, bytes: number): ArrayBuffer {
  if (bytes < smallest) throw new RangeError(`a body has at least ${smallest} bytes, not ${bytes}`);
  const body = new Uint8Array(bytes).fill(PAD);
  write(body, head, 0);
  write(body, tail, bytes - tail.length);
  return body.buffer;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An input that is a number or nothing at all can't be padded; then it is done beside it. */
function padded(body: unknown): unknown {
  const input: unknown = isObject(body) && 'input' in body ? body.input : undefined;
  if (isObject(input)) return { input: { ...input, [freeKey(input)]: MARK } };
  if (Array.isArray(input)) return { input: [...input, MARK] };
  return typeof input === 'string' ? { input: `${input} ${MARK}` } : { input, pad: MARK };
}

/** The handler's own fields keep their values. */
function freeKey(input: object): string {
  let key = 'pad';
  while (key in input) key += '_';
  return key;
}

/** With other characters escaped, a character is a byte. */
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function write(into: Uint8Array, text: string, at: number): void {
  for (let index = 0; index < text.length; index += 1) into[at + index] = text.charCodeAt(index);
}
