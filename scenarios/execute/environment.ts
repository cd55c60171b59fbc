/**
 * What the senders need in addition to the probe itself: where to send, with which key, and where to leave evidence.
 */
import type { Credentials, DoneJobs, TargetConfig } from '../../schemas/target.ts';
import type { Addresses } from './requests.ts';

export interface ProbeEnvironment {
  readonly target: TargetConfig;
  /** Default: none are known. */
  readonly doneJobs?: DoneJobs;
  readonly credentials: Credentials;
  readonly runId: string;
  readonly k6Bin: string;
  /** The run's directory; `ledger/` and `k6/` are made in it. */
  readonly dir: string;
  readonly signal: AbortSignal;
  /** Processes that send a probe together where it can be split; default: one. */
  readonly runners?: number;
  /** Addresses of this machine that they send from, one each; default: the system's choice. */
  readonly sources?: readonly string[];
  /** Takes keys out of what is written to `dir`; the analysis sees it as it came. */
  readonly mask?: (text: string) => string;
  /** Called from time to time with the number of requests sent. */
  progress(done: number): void;
  /** Called once, when the probe is past its preparation and no longer uses what it needs for that alone. */
  prepared?(): void;
}

/** What those that send from this process need of it. */
export type SenderEnvironment = Pick<ProbeEnvironment, 'signal' | 'progress'>;

/** What a sender gets: everything about the target that it may know. */
export interface Sending {
  readonly addresses: Addresses;
  readonly workersMax: number | null;
  readonly key: string | null;
}
