/**
 * Stands in for k6 and lets the real one run, under conditions: little processor, pauses, a violent end, a full disk.
 * A shell script, since that is what `K6_BIN` can name.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

export interface K6Conditions {
  /** Shell lines that run at the same time; `$k6` is its process id. */
  readonly beside?: string;
  /** Before the real one, e.g. `nice -n 19`. */
  readonly through?: string;
  /** Shell lines first. */
  readonly before?: string;
  /** The reported exit code, in place of the real one. */
  readonly exitCode?: number;
}

/** It gets what processor others leave, and for so long, seconds, there is one that never rests for each processor. */
export function starvedFor(seconds: number): K6Conditions {
  const loop = `timeout ${seconds} sh -c 'while :; do :; done'`;
  return { through: 'nice -n 19', beside: `for i in $(seq ${availableParallelism()}); do ${loop} & done; wait $k6` };
}

/** Writes the script into `folder` and returns its path. */
export function k6Under(folder: string, name: string, conditions: K6Conditions): string {
  const { beside = ':', through = '', before = ':', exitCode } = conditions;
  const real = process.env.K6_BIN ?? '';
  const file = join(folder, `k6-${name}`);
  const lines = [
    '#!/bin/sh',
    `[ "$1" = run ] || exec ${real} "$@"`,
    before,
    `${through} ${real} "$@" & k6=$!`,
    "trap 'kill -TERM $k6' TERM",
    `( ${beside} ) &`,
    'wait $k6; code=$?',
    `exit ${exitCode ?? '$code'}`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
  return file;
}
