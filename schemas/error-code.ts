/** The code that the system gives an error, such as ENOENT: what an operator searches for, and what a program can tell apart. */

/** Undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
