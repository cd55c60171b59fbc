/**
 * A valid job of exactly so many bytes. Most of it is padding inside its `input`, which the handler ignores: in front
 * of the quick workload's own fields where the input has fields, else where it has a place for a text. What the handler
 * returns comes after the padding, so that its presence in the output shows that the end of the body arrived.
 */
import { isObject } from '../../../schemas/json.ts';
import { type Addresses, markedJob, markedWord } from '../../execute/requests.ts';
import { PADDING } from './padding.ts';

export interface Frame {
  readonly head: string;
  readonly tail: string;
  /** Bytes of the smallest body that can be built. */
  readonly smallest: number;
  /** What the handler returns, when the workload has a place for it. */
  readonly word: string;
}

const PAD = PADDING.charCodeAt(0);
const MARK = 'proofload-padding';

/** The text before and after the padding of a quick job; `mark` distinguishes its output from all others of the run. */
export function frameOf(addresses: Addresses, mark: string): Frame {
  const body: unknown = JSON.parse(markedJob(addresses, mark));
  const text = ascii(JSON.stringify(padded(body)));
  const at = text.indexOf(MARK);
  const [head, tail] = [text.slice(0, at), text.slice(at + MARK.length)];
  return { head, tail, smallest: head.length + tail.length, word: markedWord(addresses, mark) };
}

/** Throws on fewer bytes than the frame has. */
export function paddingOf({ smallest }: Frame, bytes: number): number {
  if (bytes < smallest) throw new RangeError(`a body has at least ${smallest} bytes, not ${bytes}`);
  return bytes - smallest;
}

/** The whole body in memory. Throws on fewer bytes than the frame has. */
export function bodyOf(frame: Frame, bytes: number): ArrayBuffer {
  paddingOf(frame, bytes);
  const body = new Uint8Array(bytes).fill(PAD);
  write(body, frame.head, 0);
  write(body, frame.tail, bytes - frame.tail.length);
  return body.buffer;
}

/** An input that is a number or nothing can't be padded; then the padding goes next to it. */
function padded(body: unknown): unknown {
  const input: unknown = isObject(body) && 'input' in body ? body.input : undefined;
  if (isObject(input)) return { input: { [freeKey(input)]: MARK, ...input } };
  if (Array.isArray(input)) return { input: [MARK, ...input] };
  return typeof input === 'string' ? { input: `${MARK} ${input}` } : { pad: MARK, input };
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
