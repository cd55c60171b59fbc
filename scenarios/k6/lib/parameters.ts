/**
 * What the orchestrator hands to a k6 script: one JSON file (path in `PARAMETERS_FILE`) and the access key in the
 * process environment. The key is never in the file, so the file may be kept as evidence.
 */
import type { Addresses } from '../../execute/requests.ts';
import type { ProbeParameters } from '../../probe.ts';

export interface ScriptParameters {
  readonly probe: ProbeParameters;
  readonly addresses: Addresses;
  /** Of the probe's endpoint; null when it is not known. */
  readonly workersMax: number | null;
  /** No new request is started later than this, ms from the start of the script. */
  readonly patienceMs: number;
  /** Absent where this script sends all of the probe. */
  readonly runner?: RunnerParameters;
}

/** Which of them it is k6 knows, by its execution segment. */
export interface RunnerParameters {
  /** By the common clock, ms; null: as `START_AT` in the environment says. */
  readonly startAtMs: number | null;
  /** This probe's start is so much later, ms. */
  readonly afterMs: number;
  /**
   * A GET of it responds with the common clock, ms since 1970; null: the clock is the target's, by its `Date` fields.
   */
  readonly timeUrl: string | null;
}

/** Names of the environment variables between executor and script. */
export const PARAMETERS_FILE = 'PARAMETERS_FILE';
export const TARGET_KEY = 'TARGET_KEY';
export const START_AT = 'START_AT';

type ProbeOf<K extends ProbeParameters['kind']> = Extract<ProbeParameters, { kind: K }>;

/** Parses the file's text; throws when it describes another kind of probe than the script was written for. */
export function parseParameters<K extends ProbeParameters['kind']>(
  text: string,
  kind: K,
): ScriptParameters & { readonly probe: ProbeOf<K> } {
  const parsed = JSON.parse(text) as ScriptParameters;
  if (!isKind(parsed, kind)) throw new Error(`the parameters describe a ${parsed.probe.kind} probe, not ${kind}`);
  return parsed;
}

function isKind<K extends ProbeParameters['kind']>(
  parsed: ScriptParameters,
  kind: K,
): parsed is ScriptParameters & { readonly probe: ProbeOf<K> } {
  return parsed.probe.kind === kind;
}
