/**
 * Every documented check can fail: each is broken by some fault, and a fault breaks nothing it has nothing to do with.
 */
import { expect, test } from 'vitest';
import { mutants } from '../reference/mutants.ts';
import type { CheckFacts } from '../schemas/facts.ts';
import { allChecks } from './checks/index.ts';
import { json } from './fixtures/fake-dispatcher.ts';
import { type Alter, bodyOf, broken, open, openFaulty } from './fixtures/faults.ts';
import { at } from './reading/json.ts';
import { runPlain } from './run/plain.ts';
import type { Target } from './target/target.ts';

const ANSWER = { choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, text: 'x' }] };
const UNAUTHORIZED = [401];
const NO_BALANCE = [402];

interface Fault {
  readonly does: string;
  readonly alter: Alter;
  /** The documented checks that must fail, all of them. */
  readonly red: readonly string[];
}

let row = 0;
let lastId: unknown = null;
const reused = bodyOf('run', (body) => {
  const repeated = row === 15 ? { ...body, id: lastId } : body;
  lastId = body.id;
  return repeated;
});
let lastOutput: string | null = null;

const faults: readonly Fault[] = [
  { does: 'models breaks down', alter: broken('models'), red: ['models.route', 'models.list'] },
  { does: 'lists no model', alter: bodyOf('models', () => ({ object: 'list', data: [] })), red: ['models.list'] },
  {
    does: 'names models without an owner',
    alter: bodyOf('models', (body) => ({
      ...body,
      data: [{ id: 'acme/base-70b' }, { id: 'base-70b' }],
    })),
    red: ['models.identifiers'],
  },
  { does: 'chat breaks down', alter: broken('chat'), red: ['chat.route', 'chat.completion', 'models.usable'] },
  { does: 'chat says nothing', alter: bodyOf('chat', () => ({ text: 'x' })), red: ['chat.completion'] },
  {
    does: 'completions breaks down',
    alter: broken('completions'),
    red: ['completions.route', 'completions.completion'],
  },
  { does: 'completions says nothing', alter: bodyOf('completions', () => ({})), red: ['completions.completion'] },
  {
    does: 'models is open to everybody',
    alter: open('models', { data: [] }, UNAUTHORIZED),
    red: ['models.auth.missing', 'models.auth.wrong-key'],
  },
  {
    does: 'chat is open to everybody',
    alter: open('chat', ANSWER, UNAUTHORIZED),
    red: ['chat.auth.missing', 'chat.auth.wrong-key'],
  },
  {
    does: 'completions is open to everybody',
    alter: open('completions', ANSWER, UNAUTHORIZED),
    red: ['completions.auth.missing', 'completions.auth.wrong-key'],
  },
  { does: 'chats on credit', alter: open('chat', ANSWER, NO_BALANCE), red: ['chat.balance.refused'] },
  { does: 'completes on credit', alter: open('completions', ANSWER, NO_BALANCE), red: ['completions.balance.refused'] },
  { does: 'run breaks down', alter: broken('run'), red: ['run.route', 'run.job-id'] },
  { does: 'run gives no id', alter: bodyOf('run', () => ({ status: 'IN_QUEUE' })), red: ['run.job-id'] },
  {
    does: 'run gives two jobs the same id when fifteen are submitted in a row',
    alter: (passing) => {
      row = passing.id === 'run' ? row + 1 : 0;
      return reused(passing);
    },
    red: ['run.ids-unique'],
  },
  {
    does: 'run answers when the job has ended',
    alter: async ({ id, reply, sleep }) => {
      if (id === 'run') await sleep(3500);
      return reply;
    },
    red: ['run.asynchronous'],
  },
  {
    does: 'runsync breaks down',
    alter: broken('runsync'),
    red: ['runsync.route', 'runsync.results', 'runsync.waits', 'runsync.results-apart', 'runsync.results-crowd'],
  },
  {
    does: 'runsync keeps its results',
    alter: bodyOf('runsync', ({ id, status }) => ({ id, status })),
    red: ['runsync.results', 'runsync.waits', 'runsync.results-apart', 'runsync.results-crowd'],
  },
  {
    does: 'runsync mixes results up',
    alter: bodyOf('runsync', (body) => {
      const mixed = lastOutput ?? JSON.stringify(body.output ?? null);
      lastOutput = JSON.stringify(body.output ?? null);
      return { ...body, output: JSON.parse(mixed) as unknown };
    }),
    red: ['runsync.results-apart', 'runsync.results-crowd'],
  },
  {
    does: 'status does not take POST',
    alter: ({ id, method, reply }) => (id === 'status' && method === 'POST' ? json(405, { error: 'no' }) : reply),
    red: ['status.route.post', 'status.methods-agree'],
  },
  {
    does: 'status does not take GET',
    alter: broken('status', 'GET'),
    red: ['status.route.get', 'run.completes', 'status.job-status', 'status.outputs'],
  },
  {
    does: 'POST status keeps the output',
    alter: bodyOf(
      'status',
      ({ output: _output, ...rest }) => rest,
      ({ method }) => method === 'POST',
    ),
    red: ['status.methods-agree'],
  },
  {
    does: 'status keeps the output',
    alter: bodyOf('status', ({ output: _output, ...rest }) => rest),
    red: ['run.completes', 'status.outputs', 'run.outputs-apart'],
  },
  {
    does: 'status says nothing of the state',
    alter: bodyOf('status', ({ status: _status, ...rest }) => rest),
    red: ['status.job-status'],
  },
  {
    does: 'every job is in progress for ever',
    alter: bodyOf('status', ({ id }) => ({ id, status: 'IN_PROGRESS' })),
    red: ['run.completes', 'status.outputs', 'status.job-status'],
  },
  {
    does: 'every job is said to be complete',
    alter: bodyOf('status', (body) => ({ output: 'x', ...body, status: 'COMPLETED' })),
    red: ['status.follows'],
  },
  {
    does: 'status-sync breaks down',
    alter: broken('status-sync'),
    red: ['status-sync.route.get', 'status-sync.route.post', 'status-sync.job-status'],
  },
  {
    does: 'status-sync says nothing',
    alter: bodyOf('status-sync', () => ({})),
    red: ['status-sync.job-status'],
  },
  {
    does: 'stream does not take POST',
    alter: broken('stream', 'POST'),
    red: ['stream.route.post', 'stream.results.post'],
  },
  {
    does: 'stream does not take GET',
    alter: broken('stream', 'GET'),
    red: ['stream.route.get', 'stream.results'],
  },
  {
    does: 'stream turns the order round',
    alter: bodyOf('stream', (body) => ({
      ...body,
      stream: Array.isArray(body.stream)
        ? body.stream.map((one) => ({ output: { chunk: -Number(at(one, 'output', 'chunk')) } }))
        : [],
    })),
    red: ['stream.results', 'stream.results.post'],
  },
  {
    does: 'cancel breaks down',
    alter: broken('cancel'),
    red: ['cancel.route', 'cancel.result', 'cancel.running', 'cancel.queued'],
  },
  { does: 'cancel says nothing', alter: bodyOf('cancel', () => ({})), red: ['cancel.result'] },
  {
    does: 'purge-queue breaks down',
    alter: broken('purge-queue'),
    red: ['purge-queue.route', 'purge-queue.result', 'purge-queue.clears-queued'],
  },
  { does: 'purge-queue says nothing', alter: bodyOf('purge-queue', () => ({})), red: ['purge-queue.result'] },
  { does: 'health breaks down', alter: broken('health'), red: ['health.route', 'health.statistics'] },
  { does: 'health has no numbers', alter: bodyOf('health', () => ({ ok: true })), red: ['health.statistics'] },
  {
    does: 'requests breaks down',
    alter: broken('requests'),
    red: ['requests.route', 'requests.list', 'requests.not-empty'],
  },
  {
    does: 'requests has no list',
    alter: bodyOf('requests', () => ({ total: 3 })),
    red: ['requests.list', 'requests.not-empty'],
  },
  { does: 'requests lists nothing', alter: bodyOf('requests', () => ({ requests: [] })), red: ['requests.not-empty'] },
];

const killed = new Set<string>();

const ask = (target: Target): Promise<CheckFacts[]> =>
  runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });

const isBroken = ({ outcome }: CheckFacts): boolean =>
  outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds);

test.each(faults)(
  '$does',
  async ({ alter, red }) => {
    const facts = await ask(openFaulty(alter));
    const documented = facts.filter((one) => isBroken(one) && one.level === 'documented').map((one) => one.id);
    expect(documented.sort()).toEqual([...red].sort());
    for (const id of documented) killed.add(id);
    expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  },
  60_000,
);

test('every documented check is broken by something, here or by a planted fault of the reference', () => {
  for (const id of mutants.flatMap((one) => one.turnsRed)) killed.add(id);
  const documented = allChecks.filter((one) => one.level === 'documented').map((one) => one.id);
  expect(documented.filter((id) => !killed.has(id))).toEqual([]);
});
