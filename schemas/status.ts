/** Status codes as RFC 9110 classes them, for scripts, analysis, checks and verdicts. */

/** 2xx: received, understood and accepted. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What a service answers to a method that an operation doesn't have (RFC 9110, sections 15.5.6 and 15.6.2). */
export const NO_METHOD: readonly number[] = [405, 501];
/** The same, or to a path that it doesn't have (section 15.5.5). */
export const NO_OPERATION: readonly number[] = [404, ...NO_METHOD];
/** The same to a request whose content it doesn't take, of which some frameworks say 422 (15.5.1, 15.5.21). */
export const BAD_CONTENT: readonly number[] = [400, 422];
/** What needs no look at the job that a request is about: who sends it, its method, its formats (15.5). */
export const NOT_TAKEN: readonly number[] = [401, 403, 406, 415, ...NO_METHOD];
