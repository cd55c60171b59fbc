/** Status codes as RFC 9110 classes them, for scripts, analysis, checks and verdicts. */

/** 2xx: received, understood and accepted. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
