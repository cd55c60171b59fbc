/** What is particular to one kind of probe: one room for each, and one line in the list of index.ts. */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import type { LimitTable } from '../../schemas/limits.ts';
import type { InterfaceId } from '../../schemas/operations.ts';
import type { ProbeEnvironment, Sending } from '../execute/environment.ts';
import type { PlanContext } from '../plan/context.ts';
import type { Candidate } from '../plan/types.ts';
import type { ProbeParameters } from '../probe.ts';

/** Checks that one probe answers, of one interface. */
export interface Question {
  readonly of: InterfaceId;
  /** Anything but single requests: many at once, or a load that goes on. */
  readonly bursts: boolean;
  readonly checkIds: readonly string[];
  plan(context: PlanContext): readonly Candidate[];
}

export interface Sender {
  readonly sending: Sending;
  readonly env: ProbeEnvironment;
  /** Runs the k6 script that has the name of the kind, and returns its ledger. */
  script(): Promise<string>;
}

export interface Kind<P extends ProbeParameters> {
  /** The questions about the limits of a table, in the order in which they are planned. */
  questions(table: LimitTable): readonly Question[];
  /** Requests that even a target that refuses early gets from a probe that ran to its end. */
  least(parameters: P): number;
  /** Sends it; the text of its ledger. */
  send(parameters: P, sender: Sender): Promise<string>;
  /** Whether k6 sends all of it, and this process nothing. */
  byK6?(parameters: P): boolean;
  /** When all of several runners have to be there that send it together, ms after their common start; absent: one sends it. */
  togetherFromMs?(parameters: P): number;
  /** What of its jobs is left behind when it is cut short is removed by a purge. */
  readonly purges?: true;
  /** @param planned requests that were to be sent at least */
  analyse(parameters: P, ledger: Ledger, planned: number): LoadFacts;
}
