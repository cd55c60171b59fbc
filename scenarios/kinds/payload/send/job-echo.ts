/**
 * What the answer about a job shows of it: its id, its state, and whether the word that stood behind the padding of its
 * body has come out again, which proves that the body arrived whole. Pure, and bundled into the k6 script.
 */
import { hasOutput, isFinal, jobIdOf, stateOf } from '../../../../schemas/job-answer.ts';
import { parseJson } from '../../../../schemas/json.ts';
import { PADDING } from '../../../k6/lib/padding.ts';

export interface JobEcho {
  readonly id: string | null;
  readonly state: 'completed' | 'ended' | 'running' | 'queued' | 'unseen';
  /** null: there was no output. */
  readonly endCameBack: boolean | null;
  readonly paddingCameBack: boolean;
}

/** So much padding in a row stands in no output by chance. */
const A_LOT = PADDING.repeat(64);

/** What a job is answered that the target does not know. */
const UNKNOWN: readonly number[] = [400, 404, 410];

export const isUnknown = (status: number): boolean => UNKNOWN.includes(status);

/** A job of which nothing but its id, if that, was seen. */
export const noEcho = (id: string | null): JobEcho => ({
  id,
  state: 'unseen',
  endCameBack: null,
  paddingCameBack: false,
});

/** @param word the word at the end of the body, which the handler should return */
export function echoIn(body: string, word: string): JobEcho {
  const answer = parseJson(body);
  const [id, state] = [jobIdOf(answer), echoState(answer)];
  if (state !== 'completed' || !hasOutput(answer)) return { id, state, endCameBack: null, paddingCameBack: false };
  return { id, state, endCameBack: body.includes(word), paddingCameBack: body.includes(A_LOT) };
}

function echoState(answer: unknown): JobEcho['state'] {
  const state = stateOf(answer);
  if (state === 'completed' || state === 'running' || state === 'queued') return state;
  return isFinal(state) ? 'ended' : 'unseen';
}
