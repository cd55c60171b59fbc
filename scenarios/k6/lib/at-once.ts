/**
 * Starting a VU takes far longer than sending a request, so each sends so many at the same time: over HTTP/1 each on a
 * connection of its own, over HTTP/2 on one.
 */
import type { OutgoingRequest } from '../../execute/requests.ts';
import { type SendOptions, sendConcurrently } from './http.ts';

const AT_ONCE = 25;

export const vusFor = (count: number): number => Math.ceil(count / AT_ONCE);

/**
 * This VU's share of `count` requests.
 * @param vu which one of `vusFor(count)` it is, from 0
 */
export async function sendShare(
  vu: number,
  count: number,
  requestAt: (place: number) => OutgoingRequest,
  options: (request: OutgoingRequest, place: number) => SendOptions,
): Promise<void> {
  const from = vu * AT_ONCE;
  const own = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, place) => requestAt(from + place));
  await Promise.all(own.map((request, place) => sendConcurrently(request, options(request, from + place))));
}
