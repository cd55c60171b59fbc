/** What weakens evidence whatever it seems to show: a generator that stumbled, answers that say nothing. */
import type { GeneratorHealth, StatusCounts } from '../../schemas/facts.ts';

/** A wall clock that moved further than this while a probe ran may have moved the target's windows too. */
const CLOCK_STEP_MS = 1000;

/** Why this ledger carries no verdict at all, or undefined when it does. */
export function generatorFault(health: GeneratorHealth): string | undefined {
  if (health.complete && health.unreadable === 0 && health.sent < health.planned) {
    return `only ${health.sent} of ${health.planned} planned requests were sent`;
  }
  return brokenLedger(health);
}

/** The same where what was sent is judged by itself, so that sending less than planned does not matter. */
export function brokenLedger(health: GeneratorHealth): string | undefined {
  if (!health.complete) return `the probe was cut off after ${health.sent} of ${health.planned} requests`;
  if (health.unreadable > 0) return `${health.unreadable} lines of its ledger are unreadable`;
  if (Math.abs(health.clockStepMs) > CLOCK_STEP_MS) return `the clock stepped by ${health.clockStepMs} ms meanwhile`;
  return undefined;
}

/** Why this ledger cannot show that something never happens: a request whose answer nobody saw. */
export function missingAnswers(health: GeneratorHealth, unclear: number): string | undefined {
  if (health.unanswered > 0) {
    return `${health.unanswered} of ${health.sent} requests got no answer (${health.unansweredError || 'no error given'})`;
  }
  return unclearAnswers(unclear);
}

/** The same where the requests in question were counted one by one. */
export function unclearAnswers(count: number): string | undefined {
  return count > 0 ? `${count} answers were neither an admission nor a refusal` : undefined;
}

/** `200 x 5, 429 x 1`. */
export function statusText(statuses: StatusCounts): string {
  const parts = Object.entries(statuses).map(
    ([status, count]) => `${status === '0' ? 'no answer' : status} x ${count}`,
  );
  return parts.join(', ') || 'nothing';
}
