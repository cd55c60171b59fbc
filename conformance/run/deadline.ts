/** When the contract checks end, whatever the target does: a CI job must not hang along with a broken service. */
import type { Calibration, Profile } from '../../schemas/target.ts';

const DEADLINE_MS: Readonly<Record<Profile, number>> = { smoke: 60_000, gate: 60_000, nightly: 300_000 };
/** Chats, jobs and round trips one after the other, more than the checks of a sound service need. */
const IN_A_ROW = 100;

/** ms from their start. Longer where the wiring check measured a slow service; without a calibration the usual one. */
export function contractDeadlineMs(profile: Profile, calibration: Calibration | null): number {
  const { roundTripMs = 0, quickJobMs = 0, chatMs = 0 } = calibration ?? {};
  return Math.max(DEADLINE_MS[profile], IN_A_ROW * (roundTripMs + (quickJobMs ?? 0) + (chatMs ?? 0)));
}
