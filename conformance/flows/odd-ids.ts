/**
 * Names that nobody ever gave to a job or an instance and that a careless service stumbles over. None of them is an
 * attack: where one were understood after all, nothing would be lost.
 */

import type { CheckContext } from '../context.ts';
import { describe, type Reply } from '../target/reply.ts';

const LONG = 2000;

interface OddId {
  readonly aspect: string;
  readonly what: string;
  /** Before it is percent-encoded for the path. */
  readonly id: string;
  /** Only where looking is all that can come of it. */
  readonly readOnly?: true;
  /** One of the few for an operation with a small budget. */
  readonly first?: true;
}

export const oddIds: readonly OddId[] = [
  { aspect: 'empty', what: 'nothing', id: '' },
  { aspect: 'space', what: 'a space', id: ' ' },
  { aspect: 'slashes', what: 'percent-encoded slashes', id: 'no/such/one', first: true },
  { aspect: 'dots', what: '../ segments', id: 'no/../../../such', readOnly: true },
  { aspect: 'long', what: `${LONG} characters`, id: 'x'.repeat(LONG) },
  { aspect: 'unicode', what: 'letters of other scripts', id: 'żółć-漢字-🙂', first: true },
  { aspect: 'quotes', what: 'quotation marks', id: `it's "one" \`more\``, first: true },
  { aspect: 'nul', what: 'a NUL', id: 'no\u0000such', first: true },
  { aspect: 'line-break', what: 'a line break', id: 'no\r\nsuch: one' },
  { aspect: 'percent', what: 'a percent sign', id: '%', readOnly: true },
  { aspect: 'star', what: 'a star', id: '*', readOnly: true },
];

/** The option that such a request needs: only an empty name is wrong by what is known of names. */
export const wrongName = (id: string): { readonly breaks?: string } => (id === '' ? { breaks: 'the path' } : {});

/** Turned away cleanly: not served as if there were such a thing, and without a breakdown. */
export function expectTurnedAway(t: CheckContext, what: string, reply: Reply): void {
  const holds = reply.status >= 300 && reply.status < 500;
  t.expect(what, 'rejected with a 4xx', describe(reply), holds);
}

/** An id that is too short for it may be somebody's when a character is gone. */
const TELLING = 16;

/** The same id without its last character, where that can't be another job's; else null. */
export const shortened = (id: string): string | null =>
  id.length >= TELLING && /[a-z]/i.test(id) ? id.slice(0, -1) : null;
