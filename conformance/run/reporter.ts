/** Collects facts from the meta data of finished tests, and prints nothing. */
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Amount } from '../../schemas/results.ts';
import type { Recent } from '../target/budget.ts';

export class FactsReporter implements Reporter {
  readonly facts: CheckFacts[] = [];
  sent: Amount = { requests: 0, bytes: 0 };
  /** As it was when the last check ended. */
  lately: readonly Recent[] = [];
  /** Errors that belong to no check: of the file as a whole, or of nobody. */
  readonly errors: string[] = [];
  readonly #onFacts: (done: number) => void;
  readonly #onStart: (vitest: Vitest) => void;

  constructor(onFacts: (done: number) => void, onStart: (vitest: Vitest) => void) {
    this.#onFacts = onFacts;
    this.#onStart = onStart;
  }

  onInit(vitest: Vitest): void {
    this.#onStart(vitest);
  }

  onTestCaseResult(test: TestCase): void {
    const { facts, sent, lately } = test.meta() as { facts?: CheckFacts; sent?: Amount; lately?: readonly Recent[] };
    if (sent && sent.requests > this.sent.requests) this.sent = sent;
    if (lately) this.lately = lately;
    if (!facts) return;
    this.facts.push(facts);
    this.#onFacts(this.facts.length);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message?: string }[]): void {
    const broken = [...modules.flatMap((one) => one.errors()), ...unhandled];
    for (const error of broken) this.errors.push(error.message ?? String(error));
  }
}
