/**
 * The code that the system gives an error, such as ENOENT: an operator searches for it, and a program can distinguish
 * errors by it.
 */

/** Undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
