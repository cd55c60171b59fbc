/**
 * Whether a target can be asked at all, before anything is judged: a wrong address, a wrong key or somebody else's
 * service would otherwise show as a hundred failed checks. Whoever reads the message should know what to change.
 */
import type { Amount } from '../../schemas/results.ts';
import type { Calibration, Credentials, TargetConfig } from '../../schemas/target.ts';
import { openTarget } from '../target/open.ts';
import { wireInference } from './inference.ts';
import { wireJobs, wiringAmount } from './jobs.ts';

/**
 * Asks each configured interface a few harmless questions and measures how long they take.
 *
 * @returns the target with `model` filled in from the list where none was given, the calibration in milliseconds, and
 *   how much was announced and sent.
 * @throws UsageError of one or two lines that name the option to change; the signal's reason when interrupted.
 */
export async function checkWiring(input: {
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  /** Stands in everything that is sent. */
  readonly runId: string;
  readonly signal: AbortSignal;
}): Promise<{ target: TargetConfig; calibration: Calibration; traffic: { announced: Amount; sent: Amount } }> {
  const target = await openTarget(input.target, input.credentials, input.runId);
  try {
    const inference = target.address('inference') === null ? null : await wireInference(target, input.signal);
    const jobs =
      target.address('jobs') === null || target.config.endpoints.length === 0
        ? null
        : await wireJobs(target, input.signal);
    return {
      target: { ...input.target, model: inference?.model ?? input.target.model },
      calibration: {
        roundTripMs: jobs?.roundTripMs ?? inference?.roundTripMs ?? 0,
        quickJobMs: jobs?.quickJobMs ?? null,
        chatMs: inference?.chatMs ?? null,
        ...(jobs ? { doneJobs: jobs.doneJobs, requestMs: jobs.requestMs } : {}),
      },
      traffic: { announced: wiringAmount(target.config), sent: target.allowance.sent },
    };
  } finally {
    await target.close();
  }
}
