/** Facts of streams that were read as they arrived -> their one claim, which is recorded and never judged. */
import type { StreamTimingFacts } from '../../../schemas/facts.ts';
import { grouped, plural } from '../../../schemas/thousands.ts';
import { streamRows } from '../../latency/streams.ts';
import { type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';

const time = (ms: number): string => grouped`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

export function judgeStreamTiming(facts: StreamTimingFacts): Claim {
  const expected = 'tokens that come one by one';
  const [row] = streamRows([facts]);
  const statuses = [...new Set(facts.streams.map(({ status }) => status))].join(', ');
  const fault = brokenLedger(facts.health);
  if (!row?.firstToken) {
    const why = fault ?? 'no response contained a token; results of a job need a number, {"chunk": N}';
    return inconclusive(
      expected,
      `${plural(facts.streams.length, 'stream')} without a token (status ${statuses || 'none'})`,
      why,
    );
  }
  const { firstToken, betweenTokens, tokens, answered, streams, inOnePiece } = row;
  const pieces =
    inOnePiece === 0
      ? ''
      : grouped`; in ${inOnePiece} of ${answered} streams all tokens came at once, so nothing was streamed`;
  const between = betweenTokens ? `, at most ${time(betweenTokens.max)} between two tokens` : '';
  const first = `the first token after ${time(firstToken.p50 ?? firstToken.max)} (at most ${time(firstToken.max)})`;
  const observed = grouped`${plural(tokens, 'token')} in ${answered} of ${plural(streams, 'stream')}: ${first}${between}${pieces}`;
  return fault ? inconclusive(expected, observed, fault) : holds(expected, observed);
}
