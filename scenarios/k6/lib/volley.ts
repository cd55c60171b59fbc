/**
 * Sends one request after the other, as fast as they are answered: a VU's share of a burst. The throughput of a load is
 * measured here, so the loop is written out, reads the clock once for each request, and hands k6 several lines of the
 * ledger at a time: k6 writes each `console.log` by itself, while all other VUs wait for the file.
 *
 * Lines wait until there are some, for a tenth of a second at most as long as responses arrive, and never beyond the
 * end of a volley. Killing k6 loses those that wait, as well as the requests in flight; such a ledger has no `end` mark
 * and is incomplete.
 */
import { instance } from 'k6/execution';
import http from 'k6/http';
import { isRemarkable, type Prepared, recordLong, recordRepeated } from './http.ts';
import { write } from './ledger.ts';

export interface Volley {
  readonly most: number;
  /** So many on top, by the time since it began, ms. */
  readonly moreBy?: (elapsedMs: number) => number;
  /** It ends with so many that were refused: with 429, or as the operation doesn't usually answer. */
  readonly refusals: number;
  readonly usual?: ReadonlySet<number>;
  /** or with so many in a row without an answer: the target is gone, and waiting shows nothing. */
  readonly silent: number;
  /** None begins later, ms on the script's clock. */
  readonly untilMs: number;
  /** When each answer came is added here, on the same clock. */
  readonly answeredMs?: number[];
}

const REFUSED = 429;
const LINES_TOGETHER = 16;
const LONGEST_WAIT_MS = 100;

/** Read once, since k6 makes a new object of it each time. */
const { request: send } = http;

/** Sends the requests in turn. Returns the statuses that came; 0 stands for no answer. */
export function sendVolley(requests: readonly Prepared[], volley: Volley): ReadonlySet<number> {
  const { most, moreBy = () => 0, refusals, usual, silent, untilMs, answeredMs } = volley;
  const clock = instance;
  const lines: string[] = [];
  const statuses = new Set<number>();
  let [refused, unanswered] = [0, 0];
  const beganMs = clock.currentTestRunDuration;
  let before = beganMs;
  let waitsFrom = before;
  const flush = (): void => {
    if (lines.length > 0) write(lines.join('\n'));
    lines.length = 0;
  };
  try {
    for (let sent = 0; refused < refusals && unanswered < silent && before <= untilMs; sent += 1) {
      if (sent >= most + moreBy(before - beganMs)) break;
      const prepared = requests[sent % requests.length];
      if (!prepared) break;
      const { method, url, body } = prepared.request;
      const response = send(method, url, body, prepared.params);
      const after = clock.currentTestRunDuration;
      const { status, timings } = response;
      statuses.add(status);
      answeredMs?.push(after);
      const long = isRemarkable(prepared, response);
      if (long) recordLong(prepared, response, before, after);
      // As `encodeShort` does.
      else lines.push(`${prepared.head}${before},${timings.blocked},${timings.receiving},${after},${status}]`);
      if (prepared.mayRepeat) recordRepeated(prepared, response, before, after);
      if (status === REFUSED || (long && usual?.has(status) === false)) refused += 1;
      unanswered = status === 0 ? unanswered + 1 : 0;
      const enough = lines.length === LINES_TOGETHER || after - waitsFrom > LONGEST_WAIT_MS;
      if (enough) flush();
      // The next one is sent no earlier than this answer came; where something was written, that took its time.
      before = enough || long ? clock.currentTestRunDuration : after;
      if (enough) waitsFrom = before;
    }
  } finally {
    flush();
  }
  return statuses;
}
