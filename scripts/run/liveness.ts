/**
 * Whether the target is still there. A service that dies while it is loaded leaves hundreds of requests without a
 * response, which looks like a load generator that fell short; so a connection to its addresses is opened now and then,
 * without any request, and a run whose target is gone ends there with that reason.
 */
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { errorCode } from '../../schemas/error-code.ts';
import type { TargetConfig } from '../../schemas/target.ts';

const EVERY_MS = 3000;
/** A service that is restarted is back before that. */
const TIMES = 6;
const PATIENCE_MS = 2000;
/** Nothing listens, or there is no route. Slowness is none of these: a busy target may take its time. */
const ABSENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/** `host:port` of each interface that is given, once. */
export function addressesOf({ baseUrl, jobBaseUrl }: Pick<TargetConfig, 'baseUrl' | 'jobBaseUrl'>): readonly URL[] {
  const urls = [baseUrl, jobBaseUrl].flatMap((text) => (text === null ? [] : [new URL(text)]));
  return [...new Map(urls.map((url) => [url.host, url])).values()];
}

/** Connects and sends nothing: null where something listens, else the code of the refusal, or `timeout`. */
export function refusalOf({ hostname, port, protocol }: URL, localAddress?: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      ...(localAddress === undefined ? {} : { localAddress, family: 4 }),
    });
    const done = (code: string | null): void => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(PATIENCE_MS, () => done('timeout'));
    socket.once('connect', () => done(null));
    socket.once('error', (error) => done(errorCode(error) ?? 'error'));
  });
}

/** The code of the refusal, or null of an address that may be in use. */
async function absence(url: URL): Promise<string | null> {
  const code = await refusalOf(url);
  return code !== null && ABSENT.has(code) ? code : null;
}

/** Resolves with the reason, where no address accepts a connection so many times in a row; with null once one does. */
export async function absenceOf(
  addresses: readonly URL[],
  signal: AbortSignal,
  everyMs: number = EVERY_MS,
): Promise<string | null> {
  const since = new Date();
  for (let times = 1; addresses.length > 0; times += 1) {
    const codes = await Promise.all(addresses.map(absence));
    if (signal.aborted || codes.some((code) => code === null)) return null;
    if (times === TIMES) {
      const where = addresses.map(({ host }, index) => `${codes[index]} ${host}`).join(' and ');
      return `the target has been gone since ${since.toISOString().slice(11, 19)} UTC (connect ${where})`;
    }
    await pause(everyMs, signal);
  }
  return null;
}

/** The same, repeated: resolves once the target is gone, and never once the signal is aborted. */
export async function untilGone(
  addresses: readonly URL[],
  signal: AbortSignal,
  everyMs: number = EVERY_MS,
): Promise<string> {
  while (addresses.length > 0 && !signal.aborted) {
    await pause(everyMs, signal);
    const why = signal.aborted ? null : await absenceOf(addresses, signal, everyMs);
    if (why !== null) return why;
  }
  return new Promise(() => {});
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});
