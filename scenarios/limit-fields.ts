/**
 * What a response says of limits apart from its status, as a note in its ledger row: the fields with the time of a
 * retry and the remaining requests, and a body that names a limit under a status of success. One line for each, as
 * `retry-after: 7`.
 */

/** By lower-case name; `body` is what a body said. */
export type LimitFields = Readonly<Record<string, string>>;

/** Retry-After, and RateLimit fields of all dialects. */
const OF_LIMITS = /^(retry-after|(x-)?rate-?limit.*)$/i;
const DATE = /^date$/i;
/** The words of a refusal in its body. No request of ours has such words in it. */
const SAYS_SO = /rate.?limit(s|ed|ing)?\b|too many requests|throttl(ed|ing)/i;
const LONGEST = 200;

/** The words by which a body says that the request was refused for a limit; empty where it says nothing like that. */
export function saysRefused(body: string): string {
  return SAYS_SO.exec(body)?.[0] ?? '';
}

/** @param headers by name, several values of one joined by commas */
export function noteOf(headers: Readonly<Record<string, string>>, body = ''): string {
  const names = Object.keys(headers);
  const kept = names.filter((name) => OF_LIMITS.test(name));
  // Moments are by the target's own clock.
  const all = kept.length > 0 ? [...kept, ...names.filter((name) => DATE.test(name))] : [];
  const lines = all.map((name) => `${name.toLowerCase()}: ${(headers[name] ?? '').slice(0, LONGEST)}`);
  return (body === '' ? lines : [...lines, `body: ${body}`]).join('\n');
}

/** Of a success whose content is unlike that of the others. */
export const wrongNote = (fault: string): string => `wrong: ${fault}`;

export function limitFieldsIn(note: string): LimitFields {
  const pairs = note.split('\n').flatMap((line) => {
    const colon = line.indexOf(': ');
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)]] : [];
  });
  return Object.fromEntries(pairs);
}
