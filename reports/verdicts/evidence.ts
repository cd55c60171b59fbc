/** What weakens evidence for any verdict: a generator that stumbled, responses that show nothing. */
import type { GeneratorHealth, RateFacts, StatusCounts } from '../../schemas/facts.ts';
import type { Operation, OperationId } from '../../schemas/operations.ts';
import { isAboutJob, isDocumentedOperation } from '../../schemas/own.ts';
import { NOT_TAKEN } from '../../schemas/status.ts';
import { grouped } from '../../schemas/thousands.ts';

/**
 * A wall clock that moved further than this while a probe ran: k6 has no other clock, so its windows are then longer or
 * shorter than they seem. A clock that is kept in step by its system drifts by less in the minutes a probe takes.
 */
export const CLOCK_STEP_MS = 50;

/** Why this ledger carries no verdict that rests on all of it, or undefined when it does. */
export function generatorFault(health: GeneratorHealth): string | undefined {
  return brokenLedger(health) ?? tooFewSent(health) ?? lateSends(health);
}

/** Of a probe that was sent so that no jobs come of it. */
interface NoInput {
  readonly withoutInput?: string;
  readonly health: GeneratorHealth;
}

export const noInputText = ({ withoutInput }: NoInput): string =>
  withoutInput === undefined ? '' : `; sent without an input, so that no jobs are made (${withoutInput})`;

/** Submissions without an input count where the limit refused some. A limiter behind the input's validation sees none. */
export const uncounted = ({ withoutInput, health }: NoInput, refused: number): string | undefined =>
  withoutInput !== undefined && refused === 0
    ? grouped`${withoutInput}; and of ${health.sent} submissions without an input none was refused`
    : undefined;

/** Less than even a target that refuses early would have got. */
export function tooFewSent({ sent, planned, exchangeMs }: GeneratorHealth): string | undefined {
  const slow = exchangeMs === undefined ? '' : grouped`; the usual answer took ${exchangeMs} ms`;
  return sent < planned ? grouped`only ${sent} of ${planned} planned requests were sent${slow}` : undefined;
}

/**
 * Why this ledger carries no verdict at all, neither that a promise is kept nor that it is broken: what the target got
 * may be more than what is written here, or at other times. Sending less than planned is no such reason.
 */
export function brokenLedger(health: GeneratorHealth): string | undefined {
  const { lost, runners } = health;
  // First, since a last line that could not be written makes the probe look cut off.
  if (lost) return grouped`at least ${lost.lines} lines of its ledger could not be written (${lost.why})`;
  const [fault] = runners?.faults ?? [];
  if (fault) return fault;
  if (!health.complete) {
    const after = grouped`the probe was cut off after ${health.sent}`;
    return health.sent < health.planned ? grouped`${after} of ${health.planned} requests` : `${after} requests`;
  }
  if (health.unreadable > 0) return grouped`${health.unreadable} lines of its ledger are unreadable`;
  if (Math.abs(health.clockStepMs) > CLOCK_STEP_MS)
    return grouped`the clock stepped by ${health.clockStepMs} ms during it`;
  return undefined;
}

/**
 * Why what was sent is not the steady load that was planned. What all sends have in common is the way to the target,
 * which changes no window; what some are later than the others is the generator's. As many may be too late as may be
 * left out (see `leastRequests`).
 */
function lateSends({ lateness }: GeneratorHealth): string | undefined {
  if (lateness?.roomMs === undefined) return undefined;
  const apartMs = lateness.p95Ms - lateness.p50Ms;
  if (apartMs <= lateness.roomMs) return undefined;
  return grouped`one send in twenty was ${Math.round(apartMs)} ms later than usual, and the pace leaves ${Math.round(lateness.roomMs)} ms`;
}

/** Why this ledger cannot show that something never happens: a request whose response was not seen. */
export function missingAnswers(health: GeneratorHealth, uncertain: number): string | undefined {
  if (health.unanswered > 0) {
    return grouped`${health.unanswered} of ${health.sent} requests got no answer (${health.unansweredError || 'no error given'})`;
  }
  return unusableAnswers(uncertain);
}

/** The same where the requests in question were counted one by one. */
export function unusableAnswers(count: number): string | undefined {
  return count > 0 ? grouped`${count} answers were neither an admission nor a refusal` : undefined;
}

/** One of these, where there is any: what an overloaded target returns too. */
export const serverErrorIn = (statuses: StatusCounts): string | undefined =>
  Object.keys(statuses).find((status) => Number(status) >= 500);

/** `200 x 5, 429 x 1`. */
export function statusText(statuses: StatusCounts): string {
  const parts = Object.entries(statuses).map(
    ([status, count]) => grouped`${status === '0' ? 'no answer' : status} x ${count}`,
  );
  return parts.join(', ') || 'nothing';
}

/**
 * Why answers show nothing of an operation's limits: it refused all that was asked, whatever the limit, and may not be
 * there at all. A job that has ended is reason enough to refuse what is about it, with 404 as well, so that only what the
 * connection check found `absent` is; and of a service's own operation it is not known what success looks like.
 */
export function neverServed(
  row: Pick<Operation, 'id' | 'path'>,
  absent: readonly OperationId[],
  all: readonly StatusCounts[],
) {
  const counts = all.flatMap(Object.entries<number>).filter(([status]) => status !== '0' && status !== '429');
  const ofJob = isAboutJob(row);
  const isDocumented = isDocumentedOperation(row.id);
  const mustSucceed = isDocumented && !ofJob;
  const unserved = isDocumented && ofJob && !absent.includes(row.id) ? NOT_TAKEN : [...NOT_TAKEN, 404];
  const isError = ([status]: readonly [string, number]): boolean =>
    unserved.includes(Number(status)) || (mustSucceed && /^4/.test(status));
  if (counts.length === 0 || !counts.every(isError)) return undefined;
  const sent = counts.reduce((sum, [, count]) => sum + count, 0);
  const statuses = [...new Set(counts.map(([status]) => status))].join(', ');
  return grouped`none of ${sent} requests to ${row.id} was served (${statuses}): it may not take them, or not be there at all`;
}

/** Refusals in all parts of a rate probe. */
export const refusedOf = ({ overflow, refill, polls, within }: RateFacts): number =>
  overflow.refused + refill.refused + polls.refused + within.refused + within.uncertain;

/**
 * For each missing response: how many refusals within the limit are attributed to requests that the target saw and the
 * ledger did not.
 */
const UNSEEN_EACH = 10;

/**
 * Where connections break, k6 (that is, Go) silently sends a GET again whenever it had gone out on a connection that
 * was used before, so the target may have counted it twice; one that was given up may reach the target any time later.
 */
export function unseenRequests(health: GeneratorHealth, refusedWithin: number): string | undefined {
  const { unanswered, sent, unansweredError } = health;
  if (unanswered === 0 || refusedWithin > UNSEEN_EACH * unanswered) return undefined;
  return grouped`${unanswered} of ${sent} requests got no answer (${unansweredError}), and the target may have received them twice or late`;
}

/** Of several runners each may have an address of its own, for which a limiter may have one budget each. */
export function countedApart({ runners }: GeneratorHealth): string | undefined {
  if (!runners || runners.count < 2) return undefined;
  return grouped`${runners.count} runners sent it, and each may have an address that is counted by itself; a single runner would decide it`;
}
