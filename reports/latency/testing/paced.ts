/** Facts of paced load for tests: one load on an operation, with any latency. */
import type { GeneratorHealth, StreamTiming, StreamTimingFacts, UnlimitedFacts } from '../../../schemas/facts.ts';
import type { PacedPhase, PacedRequests } from '../../../schemas/latency.ts';
import { soundHealth } from '../../verdicts/testing/facts.ts';

export const sound: GeneratorHealth = soundHealth();

/** As many of each as of the list that is given; what is not given is 1 ms each, and nothing late. */
export function requests(operation: string, changes: Partial<PacedRequests> = {}): PacedRequests {
  const lists = [changes.dueToEndMs, changes.sentToEndMs, changes.lateMs, changes.ownLateMs];
  const count = lists.find((list) => list !== undefined)?.length ?? 1;
  const each = (ms: number) => new Array<number>(count).fill(ms);
  return {
    operation,
    statusClass: '2xx',
    dueToEndMs: each(1),
    sentToEndMs: each(1),
    sentToFirstByteMs: each(1),
    lateMs: each(0),
    ownLateMs: each(0),
    ...changes,
  };
}

export function facts(paced: readonly PacedPhase[], probe = 'a-probe', health = sound): UnlimitedFacts {
  const times = { fromMs: 0, toMs: 0, refusedWithinLimit: 0 };
  return {
    kind: 'unlimited',
    instId: 'inst-a',
    operation: 'health',
    part: { sent: 0, admitted: 0, refused: 0, statuses: {}, wrong: {}, ...times },
    fullestWindow: 0,
    health: { ...health, probe },
    paced,
  };
}

export const streamFacts = (streams: readonly StreamTiming[], health = sound): StreamTimingFacts => ({
  kind: 'stream-timing',
  instId: '',
  operation: 'chat',
  streams,
  health,
});
