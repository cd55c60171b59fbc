/**
 * What a queue script reads in addition to its submissions: how many jobs are waiting by health, whether jobs are still
 * queued, and whether one of ours left the queue when it was cancelled.
 */
import { type Addresses, outgoing } from '../../execute/requests.ts';
import { now, sleepUntil } from './clock.ts';
import { type Answer, send, sendTogether } from './http.ts';
import { afterPurge, hasEnded, jobState, queuedJobs } from './job-state.ts';
import { FREE_PATIENCE_MS, FREE_POLL_EVERY_MS } from './queue-costs.ts';
import type { FreeFate } from './queue-state.ts';

/** Jobs in the queue by health; null when it has no count. `beside` goes in front of the number in the note. */
export function countQueued(addresses: Addresses, phase: string, beside = ''): number | null {
  const note = ({ body }: Answer): string => `${beside}${queuedJobs(body)}`;
  const reported = queuedJobs(send(outgoing(addresses, 'health'), { phase, keepBody: true, note }).body);
  return reported === '' ? null : Number(reported);
}

/**
 * Cancels a queued job of ours and checks whether the queue is shorter: by health, or else by the job's own state.
 * @param least how many are certainly queued; health may be some seconds old
 */
export function takeOut(addresses: Addresses, jobId: string, least: number): FreeFate {
  const count = () => countQueued(addresses, 'count');
  const before = awaited(count, (seen) => seen === null || seen >= least);
  send(outgoing(addresses, 'cancel', { jobId }), { phase: 'free' });
  const gone = before === null ? () => isGone(addresses, jobId) : () => (count() ?? before) < before;
  return awaited(gone, (seen) => seen) ? 'freed' : 'not-freed';
}

/** The first look that will do, or the last one in time. */
function awaited<T>(look: () => T, willDo: (seen: T) => boolean): T {
  for (const untilMs = now() + FREE_PATIENCE_MS; ; sleepUntil(now() + FREE_POLL_EVERY_MS)) {
    const seen = look();
    if (willDo(seen) || now() + FREE_POLL_EVERY_MS > untilMs) return seen;
  }
}

function isGone(addresses: Addresses, jobId: string): boolean {
  const note = (answer: Answer): string => afterPurge(answer.status, answer.body);
  const { status, body } = send(outgoing(addresses, 'status', { jobId }), {
    phase: 'free-check',
    keepBody: true,
    note,
  });
  return afterPurge(status, body) === 'cleared';
}

/** Polls the jobs, so many at a time; returns those that are still queued. */
export function readAll(addresses: Addresses, phase: string, jobIds: readonly string[], together: number): string[] {
  const left: string[] = [];
  for (let from = 0; from < jobIds.length; from += together) {
    const batch = jobIds.slice(from, from + together);
    const requests = batch.map((jobId) => outgoing(addresses, 'status', { jobId }));
    const note = ({ status, body }: Answer): string => afterPurge(status, body);
    const answers = sendTogether(requests, { phase, keepBody: true, note });
    left.push(...batch.filter((_, index) => jobState(answers[index]?.body ?? '') === 'queued'));
  }
  return left;
}

/** Polls one job until it is over, or until `untilMs`; the notes are its states. */
export function awaitEnd(addresses: Addresses, phase: string, jobId: string, everyMs: number, untilMs: number): void {
  for (;;) {
    const note = ({ status, body }: Answer): string => (status === 404 ? 'gone' : jobState(body));
    const { status, body } = send(outgoing(addresses, 'status', { jobId }), { phase, keepBody: true, note });
    if (status === 404 || hasEnded(body) || now() + everyMs > untilMs) return;
    sleepUntil(now() + everyMs);
  }
}

/** Of an order in which every beginning is spread too: so many at first. */
const BEGINNING = 20;

/** Up to `count` of the items, evenly spread, and in an order in which the first of them are spread too. */
export function spread<T>(items: readonly T[], count: number): T[] {
  const most = Math.min(count, items.length);
  const at = (index: number) => (most > 1 ? Math.round((index * (items.length - 1)) / (most - 1)) : 0);
  const chosen = Array.from({ length: most }, (_, index) => items[at(index)]).filter((item) => item !== undefined);
  const stride = Math.ceil(chosen.length / BEGINNING);
  return Array.from({ length: stride }, (_, first) => chosen.filter((_, index) => index % stride === first)).flat();
}
