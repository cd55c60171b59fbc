/**
 * `npm run soak [SECONDS]`: the reference under mixed load, with clients that go away at any moment, for five minutes
 * unless told otherwise. Its heap, collected each time before it is looked at, must not grow from the second fifth of
 * the time to the last, and nobody may be left in flight. Exits with 1 when one of the two fails.
 */
import { Agent, request } from 'undici';
import { defaultOptions } from '../../reference/options.ts';
import { limits } from '../../schemas/limits.ts';
import { type DocumentedOperationId, operation, operationPath } from '../../schemas/operations.ts';
import { seeded } from '../../schemas/seeded.ts';
import { median } from './measure.ts';
import { type Server, startServer } from './servers.ts';

const SECONDS = Number(process.argv[2] ?? 300);
const CLIENTS = 24;
const MEGABYTE = 1024 * 1024;
/** What a heap of tens of megabytes may differ by without having grown. */
const SLACK_BYTES = 4 * MEGABYTE;
const [key = ''] = defaultOptions({}).accessKeys;
const [model] = defaultOptions({}).models;

const retention = Object.fromEntries(limits.filter(({ kind }) => kind === 'retention').map(({ id }) => [id, 2000]));
const rates = Object.fromEntries(limits.filter(({ kind }) => kind === 'requests').map(({ id }) => [id, 1_000_000]));

const inputs = [{ echo: 1 }, { delay_ms: 20 }, { chunks: 5, chunk_delay_ms: 5 }, { fail: 'no' }, 'x'.repeat(50_000)];

function bodyOf(id: DocumentedOperationId, random: () => number): unknown {
  const streams = random() < 0.5;
  const maxTokens = 1 + Math.floor(random() * 40);
  const asked = { model: model?.id, stream: streams, max_tokens: maxTokens };
  switch (id) {
    case 'chat':
      return { ...asked, messages: [{ role: 'user', content: 'How much can it carry?' }] };
    case 'completions':
      return { ...asked, prompt: 'How much can it carry?' };
    case 'run':
    case 'runsync':
      return { input: inputs[Math.floor(random() * inputs.length)] };
    default:
      return undefined;
  }
}

const mix: readonly DocumentedOperationId[] = [
  ...(['chat', 'completions', 'run', 'runsync', 'status', 'status-sync', 'stream'] as const),
  ...(['cancel', 'health', 'requests', 'purge-queue', 'models'] as const),
];

/** Asks one thing after the other until the time is over; some answers it doesn't wait for. */
async function client(server: Server, agent: Agent, seed: number, until: number): Promise<number> {
  const random = seeded(seed);
  let jobId = 'nobody';
  let asked = 0;
  for (; performance.now() < until; asked += 1) {
    const id = mix[Math.floor(random() * mix.length)] ?? 'health';
    const body = bodyOf(id, random);
    const path = `${operationPath(id, { instId: 'inst-1', jobId })}${random() < 0.5 ? '?wait=50' : '?wait=5'}`;
    const patience = random() < 0.2 ? AbortSignal.timeout(Math.floor(random() * 60)) : null;
    try {
      const answer = await request(server.url + path, {
        method: body === undefined && operation(id).methods.includes('GET') ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        dispatcher: agent,
        signal: patience,
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 500) throw new TypeError(`${id} was answered with ${answer.statusCode}: ${text}`);
      if (id === 'run' || id === 'runsync') jobId = /"id":"([^"]+)"/.exec(text)?.[1] ?? jobId;
    } catch (error) {
      if (patience?.aborted) continue;
      throw error;
    }
  }
  return asked;
}

async function watch(server: Server, until: number): Promise<number[]> {
  const heaps: number[] = [];
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, (SECONDS * 1000) / 30));
    const { heapBytes, rssBytes } = await server.memory();
    heaps.push(heapBytes);
    const [heap, rss] = [heapBytes, rssBytes].map((bytes) => (bytes / MEGABYTE).toFixed(1));
    process.stdout.write(`${heaps.length} of 30: ${heap} MB in use, ${rss} MB resident\n`);
  }
  return heaps;
}

const server = await startServer('reference', { limits: { ...rates, ...retention }, firstTokenMs: 5, interTokenMs: 1 });
const agent = new Agent({ connections: CLIENTS });
const until = performance.now() + SECONDS * 1000;
const clients = Array.from({ length: CLIENTS }, (_, index) => client(server, agent, index + 1, until));
const [heaps, ...asked] = await Promise.all([watch(server, until), ...clients]);
await agent.destroy();

const fifth = Math.max(1, Math.floor(heaps.length / 5));
const [early, late] = [median(heaps.slice(fifth, 2 * fifth)), median(heaps.slice(-fifth))];
const { inFlight } = await server.settled();
const total = asked.reduce((sum, count) => sum + count, 0);
const grown = late > early + SLACK_BYTES;
process.stdout.write(
  `${total} requests in ${SECONDS} s; in use at the end x early: ${(late / early).toFixed(2)}, ` +
    `${inFlight} requests left in flight: ${grown || inFlight > 0 ? 'not flat' : 'flat'}\n`,
);
await server.stop();
process.exitCode = grown || inFlight > 0 ? 1 : 0;
