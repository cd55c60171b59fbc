/**
 * One of several runners that send a probe together: how it starts with the others. Which connections are its own k6 decides
 * by the execution segment that it was started with, each connection as a whole: so what all of them send is what was
 * planned, each request once, and as every connection keeps its share of the limit by itself, no window has more than the
 * limit however their clocks differ.
 */
import { test } from 'k6/execution';
import http, { type RefinedParams } from 'k6/http';
import { encodeRunner } from '../../../schemas/ledger-runner.ts';
import { headersFor, type OutgoingRequest } from '../../execute/requests.ts';
import { now, sleepUntil } from './clock.ts';
import { clockOffset, edgesOf, type Reading } from './clock-offset.ts';
import { targetKey } from './environment.ts';
import { markStart, write } from './ledger.ts';
import { type RunnerParameters, START_AT } from './parameters.ts';
import { placeOf } from './segments.ts';

export interface Begun {
  readonly zeroWallMs: number;
  /** From the zero of this script's clock to the moment from which on the times of the probe count, ms. */
  readonly delayMs: number;
}

const POLLS = 25;
/** At least one of the target's seconds begins during it, mostly two. */
const DATES = 40;
const DATE_EVERY_MS = 50;

/**
 * Writes the first lines. Throws when the start or the clock is unknown; the script then sends nothing.
 * @param readClock a request to the target, where its clock is the common one
 */
export function beginWith(
  runner: RunnerParameters | undefined,
  runId: string,
  readClock: () => OutgoingRequest,
): Begun {
  const zeroWallMs = markStart();
  if (!runner) return { zeroWallMs, delayMs: 0 };
  const { timeUrl, afterMs } = runner;
  const startAtMs = (runner.startAtMs ?? Number(__ENV[START_AT])) + afterMs;
  const readings = timeUrl === null ? datesOf(readClock(), zeroWallMs) : timesOf(timeUrl, zeroWallMs);
  const clock = clockOffset(readings);
  if (!Number.isFinite(startAtMs)) throw new Error(`${START_AT} is no number of milliseconds`);
  if (!Number.isFinite(clock.errorMs)) throw new Error('the common clock did not answer');
  const { executionSegment = '', executionSegmentSequence = '' } = test.options;
  write(encodeRunner({ ...placeOf(executionSegment, executionSegmentSequence), runId, startAtMs, ...clock }));
  return { zeroWallMs, delayMs: startAtMs - clock.offsetMs - zeroWallMs };
}

function timesOf(url: string, zeroWallMs: number): Reading[] {
  return Array.from({ length: POLLS }, () => {
    const fromMs = zeroWallMs + now();
    const { body } = http.get(url, { responseType: 'text' });
    return { fromMs, toMs: zeroWallMs + now(), isMs: Number(body) };
  });
}

function datesOf(request: OutgoingRequest, zeroWallMs: number): Reading[] {
  const params: RefinedParams<'none'> = { headers: headersFor(targetKey, false), responseType: 'none' };
  const answers = Array.from({ length: DATES }, () => {
    const began = now();
    const { headers } = http.get(request.url, params);
    const answered = now();
    sleepUntil(began + DATE_EVERY_MS);
    return { fromMs: zeroWallMs + began, toMs: zeroWallMs + answered, secondMs: Date.parse(headers.Date ?? '') };
  });
  return edgesOf(answers);
}
