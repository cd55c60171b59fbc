/** Which version of k6 is needed, and how to read that of an executable. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorCode } from '../../schemas/error-code.ts';

/** The version that is downloaded or built; go.mod pins the same one. */
export const K6_VERSION = 'v2.2.0';

/** The scripts use what k6 has had since this major version. */
const MAJOR = 2;

const run = promisify(execFile);

export interface ProcessContext {
  /** Its PATH resolves a bare name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** `v2.2.0` for such an executable. Throws when it can't be started, doesn't answer or isn't k6. */
export async function k6Version(path: string, { env, signal }: ProcessContext): Promise<string> {
  const { stdout } = await run(path, ['version'], { env, timeout: 20_000, signal, windowsHide: true });
  // k6 calls itself by the name of its file, `my-k6 v2.2.0 (go1.25.0, linux/amd64)`.
  const version = /^\S+ (v\d+\.\d+\.\d+\S*) \(.*\bgo\d/m.exec(stdout)?.[1];
  if (version === undefined) throw new Error("it doesn't answer `version` as k6 does");
  return version;
}

/** Whether the scenarios run on it. */
export function isUsable(version: string): boolean {
  return new RegExp(`^v${MAJOR}\\.`).test(version);
}

/** Text of an error in one line, for a reason. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = errorCode(cause) ?? '';
  const message = (cause.message || error.message).split('\n')[0] ?? '';
  return code !== '' && !message.includes(code) ? `${message} (${code})`.trim() : message;
}
