/**
 * Wiring of interface A: it lists models, the model of this run is one of them, and it completes. A service whose list
 * is broken is still that service, and can be judged, when it completes with the configured model; where none is
 * configured or listed, by what needs no model.
 */
import { at, listsIn, saysSomething } from '../../schemas/json.ts';
import { median } from '../../schemas/median.ts';
import { operationPath } from '../../schemas/operations.ts';
import { BAD_CONTENT } from '../../schemas/status.ts';
import { UsageError } from '../../schemas/target.ts';
import { isAnswer } from '../reading/answer.ts';
import { modelIdsOf } from '../reading/models.ts';
import { describe, durationOf, isOk, type Reply } from '../target/reply.ts';
import type { Target } from '../target/target.ts';
import {
  NoResponse,
  notAnswered,
  nullFor,
  roundTripOf,
  SECOND_OPINION_MS,
  type Send,
  senderFor,
  unfit,
} from './request.ts';

const SAMPLES = 3;
const COMPLETION_TIMEOUT_MS = 60_000;
const MOST_NAMES = 5;
/** How many of the listed models are tried, and what says that it is the model that isn't taken. */
const MOST_TRIED = 5;
const NOT_WITH_IT = [400, 404, 410, 422];

export interface InferenceWiring {
  /** Empty where none is listed and none was given. */
  readonly model: string;
  readonly roundTripMs: number;
  readonly chatMs: number | null;
  readonly takesMaxTokens: boolean;
}

export async function wireInference(target: Target, signal: AbortSignal): Promise<InferenceWiring> {
  const send = senderFor(target, 'inference', signal);
  const path = operationPath('models');
  const list = send({ operation: 'models', method: 'GET', path });
  const listed = await list.then((reply) => readModels(target, reply)).catch(refusal);
  if (listed instanceof UsageError) return withoutList(target, send, listed);
  // The model given, or the first ones that are listed.
  const candidates = target.config.model === null ? listed.slice(0, MOST_TRIED) : [target.config.model];
  return {
    roundTripMs: await roundTripOf(() => send({ operation: 'models', method: 'GET', path }), SAMPLES),
    ...(await firstTaken(target, send, candidates, listed)),
  };
}

/** What was thrown, as the answer that it is; anything but a complaint about the target goes on being thrown. */
function refusal(error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  throw error;
}

/** A second opinion where the list is no good: the complaint stands unless a completion comes. */
async function withoutList(target: Target, send: Send, complaint: UsageError): Promise<InferenceWiring> {
  const { model } = target.config;
  if (model === null) return withoutModel(send, complaint);
  const samples: number[] = [];
  let takesMaxTokens = true;
  while (samples.length < SAMPLES) {
    const chatted = await shortChat(target, send, model, SECOND_OPINION_MS).catch(notAnswered);
    if (chatted === null || !isAnswer('chat', chatted.reply)) throw complaint;
    samples.push(durationOf(chatted.reply));
    takesMaxTokens &&= chatted.takesMaxTokens;
  }
  const chatMs = median(samples);
  return { model, roundTripMs: chatMs, chatMs, takesMaxTokens };
}

/** A chat without anything in it is a bad request where chats are completed, and of no meaning elsewhere. */
async function withoutModel(send: Send, complaint: UsageError): Promise<InferenceWiring> {
  const path = operationPath('chat');
  const empty = send({
    operation: 'chat',
    method: 'POST',
    path,
    json: {},
    breaks: 'the body',
    timeoutMs: SECOND_OPINION_MS,
  });
  const reply = await empty.catch(notAnswered);
  if (reply?.json === undefined || !BAD_CONTENT.includes(reply.status)) throw complaint;
  return { model: '', roundTripMs: durationOf(reply), chatMs: null, takesMaxTokens: true };
}

/** A chat of one token; of any length where the target takes only what is documented. */
async function shortChat(target: Target, send: Send, model: string, timeoutMs: number) {
  const chat = (more: object) =>
    send({
      operation: 'chat',
      method: 'POST',
      path: operationPath('chat'),
      json: { model, messages: [{ role: 'user', content: `Say one. (${target.runId})` }], ...more },
      timeoutMs,
    });
  const short = await chat({ max_tokens: 1 });
  if (!BAD_CONTENT.includes(short.status)) return { reply: short, takesMaxTokens: true };
  const plain = await chat({});
  return isOk(plain) ? { reply: plain, takesMaxTokens: false } : { reply: short, takesMaxTokens: true };
}

/** Without a list a run needs a configured model. */
const hint = (target: Target): string =>
  target.config.model === null ? ': if the rest works, name one with --model' : '';

function readModels(target: Target, reply: Reply): readonly string[] {
  if (!isOk(reply)) throw unfit(target, 'inference', `GET models did not succeed${hint(target)}`, reply);
  if (reply.json === undefined) throw unfit(target, 'inference', 'the response of GET models is not JSON', reply);
  const ids = modelIdsOf(reply.json);
  if (ids.length === 0 && target.config.model !== null && !saysSomething(reply.json)) {
    throw unfit(target, 'inference', 'the response of GET models is empty', reply);
  }
  // An empty list is a fault of the service; what needs no model can still be judged.
  if (ids.length === 0 && target.config.model === null && listsIn(reply.json).length === 0) {
    throw new UsageError(`no model is listed at ${target.address('inference')}; name one with --model`);
  }
  return ids;
}

function notListed(target: Target, model: string, ids: readonly string[]): UsageError {
  const names = ids.slice(0, MOST_NAMES).join(', ');
  const more = ids.length > MOST_NAMES ? `, and ${ids.length - MOST_NAMES} more` : '';
  const where = target.address('inference');
  return new UsageError(`the model ${model} is not listed at ${where}; set --model to one of: ${names}${more}`);
}

/**
 * The first of the models that completes a short prompt, and how long it takes. Not every listed model needs to be one
 * for chats; where none is, the run goes on with the first, since what is listed should be available, and the checks
 * will fail. The same holds for a service without working completions, but not for one that answers everything with the
 * same nothing.
 */
async function firstTaken(
  target: Target,
  send: Send,
  candidates: readonly string[],
  listed: readonly string[],
): Promise<Omit<InferenceWiring, 'roundTripMs'>> {
  const where = target.address('inference');
  for (const model of candidates) {
    const chatted = await shortChat(target, send, model, COMPLETION_TIMEOUT_MS).catch(nullFor(NoResponse));
    if (chatted === null) break;
    const { reply, takesMaxTokens } = chatted;
    if (reply.status === 402) {
      throw new UsageError(`the account of the key has no balance at ${where} (402); set another PROOFLOAD_ACCESS_KEY`);
    }
    if (isOk(reply) && at(reply.json, 'choices') !== undefined) {
      return { model, chatMs: durationOf(reply), takesMaxTokens };
    }
    // One that completes need not be listed, as an alias.
    const isListed = listed.includes(model);
    if (!isListed && listed.length > 0) throw notListed(target, model, listed);
    if (!isListed && reply.status === 404 && /model/i.test(describe(reply))) {
      throw new UsageError(`the model ${model} is unknown at ${where}; set --model`);
    }
    if (!NOT_WITH_IT.includes(reply.status)) break;
  }
  return { model: candidates[0] ?? '', chatMs: null, takesMaxTokens: true };
}
