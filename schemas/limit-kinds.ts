/** The sentence and the checks of each kind of limit: an entry for each kind. */
import { isAdded, isOwn, type Limit, type LimitKind } from './limits.ts';
import { number } from './thousands.ts';
import type { Level } from './verdicts.ts';

/** A check of a limit, without what follows from the limit itself. */
export interface LimitCheck {
  /** The end of its id. */
  readonly aspect: string;
  readonly title: string;
  /** Default: documented. */
  readonly level?: Level;
  /** Where they are not the limit's own. */
  readonly clauses?: readonly string[];
}

interface KindOfLimit<L extends Limit> {
  /** With the numbers of its row. */
  sentence(limit: L): string;
  /** Its load checks, and whether it stands in the spec or is `promised` by the configuration. */
  checks(limit: L, said: 'documented' | 'promised'): readonly LimitCheck[];
}

const SECOND_MS = 1000;

function duration(ms: number): string {
  const seconds = ms / SECOND_MS;
  return seconds > 60 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

const namesOf = ({ operations }: Limit): string => operations.join(', ');
const together = (limit: Limit): string => `${namesOf(limit)}${limit.operations.length > 1 ? ' together' : ''}`;

const refusal429: LimitCheck = { aspect: 'refusal', title: 'A refusal is a 429 with Retry-After', level: 'convention' };

const kinds: { readonly [K in LimitKind]: KindOfLimit<Extract<Limit, { readonly kind: K }>> } = {
  requests: {
    sentence: (limit) => `${together(limit)}: ${number(limit.value)} requests in any ${duration(limit.windowMs)}.`,
    checks(limit, said) {
      const names = namesOf(limit);
      const independent = `Exhausting the rate limit of ${names} does not affect other operations`;
      return [
        { aspect: 'guarantee', title: `A client within the rate limit of ${names} is never refused` },
        { aspect: 'enforced', title: `Requests beyond the ${said} rate limit of ${names} are refused` },
        ...(limit.operations.length > 1 ? [{ aspect: 'shared', title: `${names} share one rate limit` }] : []),
        ...(isAdded(limit) ? [] : [{ aspect: 'independent', title: independent }]),
        refusal429,
        {
          aspect: 'retry-after',
          title: `A request after the Retry-After of ${names} is admitted`,
          level: 'convention',
        },
        { aspect: 'fields', title: `RateLimit fields of ${names} match the enforced limit`, level: 'convention' },
        // That the service is available at all times is not documented.
        {
          aspect: 'served',
          title: `Every request under load to ${names} is served or refused`,
          level: 'convention',
          clauses: isOwn(limit) ? [] : limit.operations.map((id) => `${id}.route`),
        },
      ];
    },
  },
  'concurrent-requests': {
    sentence(limit) {
      const per = limit.per === 'address' ? 'client address' : 'endpoint';
      return `${together(limit)}: ${number(limit.value)} requests at once per ${per}.`;
    },
    checks(limit, said) {
      const names = namesOf(limit);
      const perAddress = `Concurrent requests of one address do not affect those of another (${names})`;
      return [
        { aspect: 'guarantee', title: `${names} serves as many concurrent requests as ${said}` },
        { aspect: 'enforced', title: `${names} refuses one concurrent request more than ${said}` },
        { aspect: 'freed', title: `A response and an abort each free a concurrency slot of ${names}` },
        ...(limit.per === 'address' ? [{ aspect: 'per-address', title: perAddress }] : []),
        refusal429,
      ];
    },
  },
  'content-bytes': {
    sentence: (limit) =>
      `${namesOf(limit)}: a body of ${number(limit.value)} bytes is taken, one of more than ${number(limit.upperReading)} is not.`,
    checks(limit, said) {
      const names = namesOf(limit);
      return [
        { aspect: 'guarantee', title: `${names} accepts a body within the ${said} size` },
        { aspect: 'enforced', title: `${names} refuses a body beyond the ${said} size` },
        {
          aspect: 'refusal',
          title: 'An oversized body is refused with a response such as 413 or 400, not a reset',
          level: 'convention',
        },
        // The documentation says that it is refused, not that nothing comes of it; who tries again pays twice.
        ...(isAdded(limit)
          ? []
          : [
              {
                aspect: 'refused-job',
                title: `An oversized body that ${names} refuses creates no job`,
                level: 'convention' as const,
              },
            ]),
      ];
    },
  },
  queue: {
    sentence: (limit) =>
      `${namesOf(limit)}: refused with ${limit.status} for the queue exactly while it holds more than ` +
      `${number(limit.value)} jobs and more than ${number(limit.perWorker)} for each worker the endpoint may have.`,
    checks(limit) {
      const names = namesOf(limit);
      return [
        { aspect: 'guarantee', title: `${names} is not refused for the queue within its limit` },
        {
          aspect: 'enforced',
          title: `${names} is refused with ${limit.status} when the queue is beyond its limit`,
        },
        { aspect: 'reopens', title: `${names} is accepted again as soon as the queue is back within its limit` },
        {
          aspect: 'lengths',
          title: `Queue lengths at which ${names} was accepted and refused`,
          level: 'observed',
          clauses: ['gap.queue-counts-new'],
        },
      ];
    },
  },
  retention: {
    sentence: (limit) => `${namesOf(limit)}: a finished job stays available for ${duration(limit.value)}.`,
    // It needs no load: the contract checks test it.
    checks: () => [],
  },
};

const kindOf = ({ kind }: Limit): KindOfLimit<Limit> => kinds[kind] as KindOfLimit<Limit>;

/** A limit as text, with the numbers of its row. */
export const limitText = (limit: Limit): string => kindOf(limit).sentence(limit);

/** The load checks of a limit. */
export const checksOfLimit = (limit: Limit): readonly LimitCheck[] =>
  kindOf(limit).checks(limit, isOwn(limit) ? 'promised' : 'documented');
