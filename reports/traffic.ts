/** How much a run has sent of what it had announced: whoever runs the endpoint was told the second number beforehand. */
import type { Traffic } from '../schemas/results.ts';
import { number } from '../schemas/thousands.ts';

const NAMES = { wiring: 'wiring check', contract: 'contract checks', load: 'load' } as const;

/** `contract checks 2,301 of at most 5,010 requests, load …`; null where nothing was announced. */
export function trafficWords(traffic: Traffic | undefined): string | null {
  const parts = (['wiring', 'contract', 'load'] as const).flatMap((name) => {
    const one = traffic?.[name];
    return one ? [`${NAMES[name]} ${number(one.sent.requests)} of at most ${number(one.announced.requests)}`] : [];
  });
  return parts.length === 0 ? null : `Requests sent, of those announced: ${parts.join(', ')}.`;
}
