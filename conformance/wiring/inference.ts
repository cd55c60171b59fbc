/** Wiring of interface A: it lists models, the model of this run is one of them, and it completes. */
import { operationPath } from '../../schemas/operations.ts';
import { UsageError } from '../../schemas/target.ts';
import { at, saysSomething } from '../reading/json.ts';
import { modelIdsOf } from '../reading/models.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import type { Target } from '../target/target.ts';
import { type Asker, askerFor, median, unfit } from './ask.ts';

const SAMPLES = 3;
const COMPLETION_TIMEOUT_MS = 60_000;
const MOST_NAMES = 5;

export interface InferenceWiring {
  readonly model: string;
  readonly roundTripMs: number;
  readonly chatMs: number | null;
}

export async function wireInference(target: Target, signal: AbortSignal): Promise<InferenceWiring> {
  const ask = askerFor(target, 'inference', signal);
  const path = operationPath('models');
  const first = await ask({ operation: 'models', method: 'GET', path });
  const ids = readModels(target, first);
  const model = chooseModel(target, ids);
  const trips: Reply[] = [];
  while (trips.length < SAMPLES) trips.push(await ask({ operation: 'models', method: 'GET', path }));
  return {
    model,
    roundTripMs: median(trips.map((one) => one.endMs - one.sentMs)),
    chatMs: await chatTime(target, ask, model),
  };
}

function readModels(target: Target, reply: Reply): readonly string[] {
  if (!isOk(reply)) throw unfit(target, 'inference', 'it does not list models', reply);
  if (reply.json === undefined) throw unfit(target, 'inference', 'its list of models is not JSON', reply);
  const ids = modelIdsOf(reply.json);
  if (ids.length === 0 && target.config.model !== null && !saysSomething(reply.json)) {
    throw unfit(target, 'inference', 'its list of models says nothing', reply);
  }
  return ids;
}

/** The model given, if it is listed, or the first that is. */
function chooseModel(target: Target, ids: readonly string[]): string {
  const { model } = target.config;
  const [first] = ids;
  const where = target.address('inference');
  if (model === null) {
    if (first === undefined) throw new UsageError(`no model is listed at ${where}; name one with --model`);
    return first;
  }
  if (first !== undefined && !ids.includes(model)) {
    const names = ids.slice(0, MOST_NAMES).join(', ');
    const more = ids.length > MOST_NAMES ? `, and ${ids.length - MOST_NAMES} more` : '';
    throw new UsageError(`the model ${model} is not listed at ${where}; set --model to one of: ${names}${more}`);
  }
  return model;
}

/**
 * The time of a short completion. A service without working completions can still be judged on the rest, but one that
 * answers everything with the same nothing can't.
 */
async function chatTime(target: Target, ask: Asker, model: string): Promise<number | null> {
  const json = { model, messages: [{ role: 'user', content: 'Say one.' }], max_tokens: 1 };
  const request = { operation: 'chat', method: 'POST', path: operationPath('chat'), json } as const;
  const reply = await ask({ ...request, timeoutMs: COMPLETION_TIMEOUT_MS });
  if (reply.status === 404 && /model/i.test(describe(reply))) {
    throw new UsageError(`the model ${model} is unknown at ${target.address('inference')}; set --model`);
  }
  if (reply.status === 402) {
    const where = target.address('inference');
    throw new UsageError(`the account of the key has no balance at ${where} (402); set another PROOFLOAD_ACCESS_KEY`);
  }
  return isOk(reply) && at(reply.json, 'choices') !== undefined ? reply.endMs - reply.sentMs : null;
}
