/**
 * How well the load generator did over a whole run, in `results.json`: each probe by itself, the worst of all of them,
 * and in words what fell short. Times in ms, sizes in bytes, shares of all processors together, 0 to 1.
 */
import type { GeneratorHealth, Lateness } from './facts.ts';

export interface GeneratorReport {
  readonly probes: readonly GeneratorHealth[];
  readonly whole: {
    readonly sent: number;
    readonly unanswered: number;
    /** Slots of the paced loads that were left out. */
    readonly dropped: number;
    /** Of the probe that was late most; null where nothing was paced. */
    readonly lateness: Omit<Lateness, 'roomMs'> | null;
    readonly leastIdleShare: number | null;
    readonly loopLagMs: number | null;
    readonly peakBytes: number | null;
    /** The largest, with its sign. */
    readonly clockStepMs: number;
  };
  /** Empty where the generator did what was planned. */
  readonly shortfalls: readonly string[];
}

const count = { type: 'integer', minimum: 0 } as const;
const number = { type: 'number' } as const;
const measured = { type: ['number', 'null'] } as const;
const text = { type: 'string' } as const;

const machine = {
  type: 'object',
  properties: { idleShare: measured, leastIdleShare: measured, loopLagMs: measured, peakBytes: measured },
  required: ['idleShare', 'leastIdleShare', 'loopLagMs', 'peakBytes'],
} as const;

const lateness = {
  type: 'object',
  properties: { scheduled: count, p50Ms: number, p95Ms: number, p99Ms: number, maxMs: number, roomMs: number },
  required: ['scheduled', 'p50Ms', 'p95Ms', 'p99Ms', 'maxMs'],
} as const;

/** JSON Schema of a probe's health; what came with a later version is optional, so that older files stay readable. */
export const healthSchema = {
  type: 'object',
  properties: {
    planned: count,
    sent: count,
    unanswered: count,
    unansweredError: text,
    unreadable: count,
    clockStepMs: number,
    complete: { type: 'boolean' },
    latenessMs: number,
    probe: text,
    ran: { type: 'object', properties: { fromMs: number, untilMs: number }, required: ['fromMs', 'untilMs'] },
    lateness,
    dropped: count,
    lost: { type: 'object', properties: { lines: count, why: text }, required: ['lines', 'why'] },
    machine,
    runners: {
      type: 'object',
      properties: { count, skewMs: number, errorMs: number, faults: { type: 'array', items: text } },
      required: ['count', 'skewMs', 'errorMs', 'faults'],
    },
  },
  required: ['planned', 'sent', 'unanswered', 'unansweredError', 'unreadable', 'clockStepMs', 'complete', 'latenessMs'],
} as const;

export const generatorSchema = {
  type: 'object',
  properties: {
    probes: { type: 'array', items: healthSchema },
    whole: {
      type: 'object',
      properties: {
        sent: count,
        unanswered: count,
        dropped: count,
        lateness: { oneOf: [{ type: 'null' }, lateness] },
        leastIdleShare: measured,
        loopLagMs: measured,
        peakBytes: measured,
        clockStepMs: number,
      },
      required: [
        'sent',
        'unanswered',
        'dropped',
        'lateness',
        'leastIdleShare',
        'loopLagMs',
        'peakBytes',
        'clockStepMs',
      ],
    },
    shortfalls: { type: 'array', items: text },
  },
  required: ['probes', 'whole', 'shortfalls'],
} as const;
