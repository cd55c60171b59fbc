/**
 * Whether requests can be sent to a target at all, before anything is judged: a wrong address, a wrong key or another
 * service would otherwise show as a hundred failed checks. The message says what to change.
 */
import { isAdded, tableOf } from '../../schemas/limits.ts';
import { operationPath } from '../../schemas/operations.ts';
import type { OwnOperation } from '../../schemas/own.ts';
import type { Amount } from '../../schemas/results.ts';
import { type Calibration, type Credentials, type TargetConfig, UsageError } from '../../schemas/target.ts';
import { longestTemplate } from '../../schemas/workloads.ts';
import { openTarget } from '../target/open.ts';
import type { Target } from '../target/target.ts';
import { wireInference } from './inference.ts';
import { DONE_JOBS, DONE_POLLS, wireJobs } from './jobs.ts';
import { roundTripOf, senderFor } from './request.ts';

/**
 * Sends each configured interface a few harmless requests and measures how long they take.
 *
 * @returns the target with `model` filled in from the list where none was given, the calibration in milliseconds, and
 * how much was announced and sent.
 * @throws UsageError of one or two lines that name the option to change; the signal's reason when interrupted.
 */
export async function checkWiring(input: {
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  /** Stands in everything that is sent. */
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Whether the run includes anything documented. Where it doesn't, any responses will do. Default: it does. */
  readonly documented?: boolean;
}): Promise<{ target: TargetConfig; calibration: Calibration; traffic: { announced: Amount; sent: Amount } }> {
  const target = await openTarget(input.target, input.credentials, input.runId);
  try {
    const wired = await (input.documented === false ? wireAny : wireDocumented)(target, input.signal);
    return {
      target: {
        ...input.target,
        model: wired.model ?? input.target.model,
        ...(wired.takesMaxTokens === false ? { takesMaxTokens: false } : {}),
        ...partly(input.target, wired),
      },
      calibration: wired.calibration,
      traffic: { announced: wiringAmount(target.config), sent: target.allowance.sent },
    };
  } catch (error) {
    const own = tableOf(input.target).rows.find(isAdded);
    if (input.documented === false || !own || !(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}; operations of your own need no such service: load --only '${own.id}.*'`);
  } finally {
    await target.close();
  }
}

/** Its operations with those that serve some of their methods alone. */
const partly = ({ operations = [] }: TargetConfig, { partly: some = [] }: Wired): Pick<TargetConfig, 'operations'> =>
  some.length === 0 ? {} : { operations: [...operations, ...some] };

interface Wired {
  readonly model: string | null;
  readonly takesMaxTokens?: boolean;
  readonly partly?: readonly OwnOperation[];
  readonly calibration: Calibration;
}

async function wireDocumented(target: Target, signal: AbortSignal): Promise<Wired> {
  const inference = target.address('inference') === null ? null : await wireInference(target, signal);
  const jobs =
    target.address('jobs') === null || target.config.endpoints.length === 0 ? null : await wireJobs(target, signal);
  return {
    model: inference?.model ?? null,
    takesMaxTokens: inference?.takesMaxTokens ?? true,
    partly: jobs?.partly ?? [],
    calibration: {
      roundTripMs: jobs?.roundTripMs ?? inference?.roundTripMs ?? 0,
      quickJobMs: jobs?.quickJobMs ?? null,
      chatMs: inference?.chatMs ?? null,
      ...(jobs
        ? { doneJobs: jobs.doneJobs, absent: jobs.absent, requestMs: jobs.requestMs, refusalMs: jobs.refusalMs }
        : {}),
    },
  };
}

/** Any response will do, to the first request of each interface; the slower one counts. */
async function wireAny(target: Target, signal: AbortSignal): Promise<Wired> {
  const [{ instId } = { instId: '' }] = target.config.endpoints;
  const questions = [
    { side: 'inference', operation: 'models', path: operationPath('models') },
    { side: 'jobs', operation: 'health', path: operationPath('health', { instId }) },
  ] as const;
  let roundTripMs = 0;
  for (const { side, ...question } of questions.filter((one) => target.address(one.side) !== null)) {
    const send = senderFor(target, side, signal, false);
    roundTripMs = Math.max(roundTripMs, await roundTripOf(() => send({ ...question, method: 'GET' }), ROUND_TRIPS));
  }
  return { model: null, calibration: { roundTripMs, quickJobMs: null, chatMs: null } };
}

const ROUND_TRIPS = 3;

// What the wiring check sends at most: part of what a run announces.

/** The list of models four times at most, and a short chat, perhaps by two bodies, with each of five models. */
const ON_INFERENCE = 15;
/**
 * Of each instance its health, or else a job and its status, and jobs until they are done; then five more requests, and
 * five quick jobs; two submissions without an input; and the operations about a job, and one that doesn't exist, by each
 * method.
 */
const PER_INSTANCE = 3 + DONE_JOBS * (1 + DONE_POLLS);
const ON_JOBS = 26;
/** One to each interface, as the load is sent. */
const THROUGH_K6 = 2;
const BODY_BYTES = 512;

export function wiringAmount({ baseUrl, jobBaseUrl, endpoints, workloads }: TargetConfig): Amount {
  const inference = baseUrl === null ? 0 : ON_INFERENCE;
  const jobs = jobBaseUrl === null || endpoints.length === 0 ? 0 : endpoints.length * PER_INSTANCE + ON_JOBS;
  const requests = inference + jobs + THROUGH_K6;
  return { requests, bytes: requests * (BODY_BYTES + longestTemplate(workloads)) };
}
