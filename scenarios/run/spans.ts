/**
 * When each probe really ran: at the same time as which others, and after which, is known only in a run, since probes
 * start by events.
 */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Execute } from './carry-out.ts';

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class Spans {
  readonly #beganMs: number;
  readonly #byProbe = new Map<string, Span>();

  /** @param beganMs from when on they are counted, on `performance.now()` */
  constructor(beganMs = performance.now()) {
    this.#beganMs = beganMs;
  }

  /** The same sender, watched. */
  watch(execute: Execute): Execute {
    return async (probe, env) => {
      const fromMs = this.#sinceBegan();
      try {
        return await execute(probe, env);
      } finally {
        this.#byProbe.set(probe.id, { fromMs, untilMs: this.#sinceBegan() });
      }
    };
  }

  /** The facts with when their probe ran, in their health. */
  tell(facts: LoadFacts): LoadFacts {
    if (facts.kind === 'missing') return facts;
    const ran = this.#byProbe.get(facts.health.probe ?? '');
    return ran ? { ...facts, health: { ...facts.health, ran } } : facts;
  }

  #sinceBegan(): number {
    return Math.round(performance.now() - this.#beganMs);
  }
}
