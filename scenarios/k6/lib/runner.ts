/**
 * One of several runners that send a probe together: how it starts with the others. Which connections are its own k6 decides
 * by the execution segment that it was started with, each connection as a whole: so what all of them send is what was
 * planned, each request once, and as every connection keeps its share of the limit by itself, no window has more than the
 * limit however their clocks differ.
 */
import { test } from 'k6/execution';
import http from 'k6/http';
import { encodeRunner } from '../../../schemas/ledger-runner.ts';
import { now } from './clock.ts';
import { clockOffset, type Reading } from './clock-offset.ts';
import { markStart, write } from './ledger.ts';
import type { RunnerParameters } from './parameters.ts';
import { placeOf } from './segments.ts';

export interface Begun {
  readonly zeroWallMs: number;
  /** From the zero of this script's clock to the moment from which on the times of the probe count, ms. */
  readonly delayMs: number;
}

const LOOKS = 25;

/** Writes the first lines. */
export function beginWith(runner: RunnerParameters | undefined, runId: string): Begun {
  const zeroWallMs = markStart();
  if (!runner) return { zeroWallMs, delayMs: 0 };
  const { startAtMs, timeUrl } = runner;
  const clock = clockOffset(Array.from({ length: LOOKS }, () => lookAt(timeUrl, zeroWallMs)));
  const { executionSegment = '', executionSegmentSequence = '' } = test.options;
  write(encodeRunner({ ...placeOf(executionSegment, executionSegmentSequence), runId, startAtMs, ...clock }));
  return { zeroWallMs, delayMs: startAtMs - clock.offsetMs - zeroWallMs };
}

function lookAt(timeUrl: string, zeroWallMs: number): Reading {
  const fromMs = zeroWallMs + now();
  const { body } = http.get(timeUrl, { responseType: 'text' });
  return { fromMs, toMs: zeroWallMs + now(), isMs: Number(body) };
}
