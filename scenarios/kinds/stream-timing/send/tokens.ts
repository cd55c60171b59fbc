/**
 * Counts tokens in a response that comes in pieces. It reads only as much as distinguishes one token from another; the
 * rest of the response is up to the contract checks.
 */
import { at, parseJson } from '../../../../schemas/json.ts';

/** Gets the response piece by piece and returns how many tokens each piece completed. */
export interface TokenReader {
  read(piece: string): number;
}

const EVENT_LINE = /^data:[ \t]?(.*)$/;
const LINE_END = /\r\n|\n|\r/;

/** Events of a completion with text, an argument of a call, or anything else from its model. */
export function completionTokens(): TokenReader {
  let rest = '';
  return {
    read(piece) {
      const lines = (rest + piece).split(LINE_END);
      rest = lines.pop() ?? '';
      return lines.filter((line) => holdsToken(parseJson(EVENT_LINE.exec(line)?.[1] ?? ''))).length;
    },
  };
}

/** Numbered results, each counted once: one that a later answer repeats is not news. */
export function resultTokens(): TokenReader & { answerOver(): void } {
  const seen = new Set<string>();
  let answer = '';
  return {
    read(piece) {
      answer += piece;
      // A number at the very end may go on in the next piece.
      const numbers = [...answer.matchAll(/"chunk"\s*:\s*(\d+)(?=\D)/g)].map(([, number = '']) => number);
      const news = new Set(numbers.filter((number) => !seen.has(number)));
      for (const number of news) seen.add(number);
      return news.size;
    },
    answerOver() {
      answer = '';
    },
  };
}

function holdsToken(event: unknown): boolean {
  const choice = at(event, 'choices', 0);
  const delta = at(choice, 'delta');
  const made = typeof delta === 'object' && delta !== null ? Object.entries(delta) : [];
  return made.some(([name, value]) => name !== 'role' && saysSomething(value)) || saysSomething(at(choice, 'text'));
}

const saysSomething = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : Array.isArray(value) && value.length > 0;
