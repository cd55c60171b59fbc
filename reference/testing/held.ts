/** Requests held open on a real socket: headers and all of the body but its last byte, the rest on demand. */
import { Agent, type ClientRequest, request } from 'node:http';

export interface HeldRequest {
  /** HTTP status; rejects when the connection ends without an answer. */
  readonly status: Promise<number>;
  /** The status, once there is one. */
  readonly early: () => number | null;
  /** Sends the last byte. */
  release(): void;
  /** Goes away without finishing. */
  abort(): void;
  readonly request: ClientRequest;
}

export interface HoldOptions {
  readonly method?: string;
  readonly body?: string;
  readonly key?: string;
  readonly localAddress?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Opens one and keeps its last byte. Resolves when everything else was handed to the system. */
export function hold(url: string, options: HoldOptions = {}): Promise<HeldRequest> {
  const { method = 'POST', body = '{"input":{"echo":1}}', key = 'proofload-local', localAddress } = options;
  const bytes = Buffer.from(body);
  const outgoing = request(url, {
    agent,
    method,
    ...(localAddress ? { localAddress } : {}),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': bytes.length,
    },
  });
  let seen: number | null = null;
  const status = new Promise<number>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      seen = response.statusCode ?? 0;
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
  });
  status.catch(() => undefined);
  return new Promise((resolve) => {
    const held: HeldRequest = {
      status,
      early: () => seen,
      release: () => outgoing.end(bytes.subarray(-1)),
      abort: () => outgoing.destroy(),
      request: outgoing,
    };
    outgoing.write(bytes.subarray(0, -1), () => resolve(held));
    outgoing.once('error', () => resolve(held));
  });
}

/** Many at once. */
export function holdMany(count: number, url: string, options: HoldOptions = {}): Promise<HeldRequest[]> {
  return Promise.all(Array.from({ length: count }, () => hold(url, options)));
}

/** How often each status came. A request without an answer counts as 0. */
export async function statusCounts(held: readonly HeldRequest[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const one of await Promise.allSettled(held.map((request) => request.status))) {
    const status = one.status === 'fulfilled' ? one.value : 0;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export function closeAgent(): void {
  agent.destroy();
}
