/** stream: the results of a handler that makes them one by one. */
import { isFinal } from '../../schemas/job-answer.ts';
import { at, saysSomething, show } from '../../schemas/json.ts';
import type { HttpMethod } from '../../schemas/operations.ts';
import { takes } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { NEARLY, plainMs, quickJob } from '../fixtures/quick.ts';
import {
  CHUNK_DELAY_MS,
  CHUNKS_MS,
  chunksIn,
  type Drained,
  drain,
  drained,
  requireNumbers,
} from '../fixtures/stream.ts';
import { anyJob } from '../fixtures/submit.ts';
import { delivered, streamStateOf } from '../reading/chunks.ts';
import { durationOf } from '../target/reply.ts';

/** Apart for so long at least are the first chunk and the last of a job that pauses between them. */
const SPREAD_MS = CHUNK_DELAY_MS / 2;

const methods: readonly HttpMethod[] = ['GET', 'POST'];

const byMethod = methods.map(
  (method): CheckDefinition => ({
    id: `stream.route.${method.toLowerCase()}`,
    title: `${method} stream returns 2xx`,
    clauses: ['stream.route', 'jobs.id-in-paths', 'jobs.operations'],
    run: async (t) => t.expectOk(await t.jobs.stream(await anyJob(t), { method })),
  }),
);

function expectAll(t: CheckContext, read: Drained): void {
  if (read.unnumbered.length > 0 && !read.unnumbered.some(saysSomething)) {
    t.expect('the chunks', 'the results of the handler', show(read.unnumbered), false);
    return;
  }
  requireNumbers(t, read);
  const { numbers, expected, over } = read;
  const first = [...new Set(numbers)];
  if (!over && first.length < expected.length) {
    t.inconclusive('the job was not seen to end, so chunks may be outstanding', 'see run.completes');
  }
  t.expect('the chunks in order of arrival', show(expected), show(first), show(first) === show(expected));
}

/** That all came at once is the target's doing only where its handler is known to pause between them. */
async function requirePauses(t: CheckContext, { numbers, tookMs, replies }: Drained): Promise<void> {
  const { workloads } = t.target.config;
  const roundTripMs = Math.round(Math.min(...replies.map(durationOf)));
  if (roundTripMs >= CHUNK_DELAY_MS) {
    t.inconclusive(`a round trip takes ${roundTripMs} ms, the handler ${CHUNKS_MS} ms`, 'run it nearer to the service');
  }
  const reported = numbers.length > 0 || workloads?.streaming !== undefined;
  const isLong = tookMs - (await plainMs(t)) >= CHUNKS_MS * NEARLY;
  if (reported && isLong && takes(workloads, 'streaming', 'chunk_delay_ms')) return;
  t.inconclusive(
    'all chunks arrived together, and the handler may not pause between them',
    'say in workloads.streaming which input makes it pause, with {{chunk_delay_ms}}',
  );
}

/** Without those that an earlier answer had; all of those without a number, since two may be alike. */
function newIn({ chunks, unnumbered }: Drained): Drained['chunks'] {
  if (unnumbered.length > 0) return chunks;
  const had = new Set<string>();
  return chunks.map((list) => {
    const fresh = list.filter((one) => !had.has(JSON.stringify(one)));
    for (const one of list) had.add(JSON.stringify(one));
    return fresh;
  });
}

/** When chunks arrived that no earlier response had: a response may be one event stream. */
function arrivalsOf(read: Drained): number[] {
  const fresh = newIn(read);
  return read.replies.flatMap(({ pieces }, index) => {
    const all = read.chunks[index]?.length ?? 0;
    let [text, had] = ['', all - (fresh[index]?.length ?? 0)];
    return pieces.flatMap(({ atMs, text: more }) => {
      text += more;
      const has = chunksIn(text).length;
      if (has <= had) return [];
      had = has;
      return [atMs];
    });
  });
}

export const checks: readonly CheckDefinition[] = [
  ...byMethod,
  {
    id: 'stream.results',
    title: 'stream returns every chunk of a generator handler in order',
    clauses: ['stream.results'],
    run: async (t) => expectAll(t, await drained(t, 'assertion')),
  },
  {
    id: 'stream.results.post',
    title: 'POST stream returns every chunk',
    clauses: ['stream.results', 'stream.route'],
    run: async (t) => expectAll(t, await drain(t, { method: 'POST' })),
  },
  {
    id: 'stream.once',
    title: 'stream returns every chunk once',
    clauses: ['stream.results'],
    async run(t) {
      const read = await drained(t);
      const { numbers, expected, unnumbered } = read;
      // Chunks without a number are compared by their content, where that differs.
      const kinds = new Set(unnumbered.map((one) => JSON.stringify(one))).size;
      if (kinds > 0 && kinds === expected.length) {
        const all = delivered(read.chunks).length;
        t.expect('all chunks of all responses', `${kinds}, no two alike`, String(all), all === kinds);
        return;
      }
      requireNumbers(t, read);
      t.expect('all chunks of all responses', show(expected), show(numbers), show(numbers) === show(expected));
    },
  },
  {
    id: 'stream.final',
    title: 'No stream response repeats chunks, and the first with a final state has all that remain',
    clauses: ['stream.drains'],
    async run(t) {
      const read = await drained(t);
      const { replies, chunks } = read;
      const end = replies.findIndex((one) => isFinal(streamStateOf(one.text)));
      t.assertion('a final state', 'in at least one response', `none in ${replies.length} responses`, end >= 0);
      t.precondition(
        'chunks',
        'in at least one response',
        `none in ${replies.length} responses`,
        chunks.flat().length > 0,
      );
      const later = chunks.slice(end + 1).flat().length;
      t.expect('chunks after the first final response', '0', String(later), later === 0);
      const repeated = chunks.flat().length - newIn(read).flat().length;
      t.expect('chunks that an earlier response had', '0', String(repeated), repeated === 0);
    },
  },
  {
    id: 'stream.incremental',
    title: 'stream returns chunks while the job runs',
    clauses: ['stream.incremental'],
    async run(t) {
      const read = await drained(t);
      const times = arrivalsOf(read);
      const spread = times.length === 0 ? 0 : Math.round(Math.max(...times) - Math.min(...times));
      if (spread < SPREAD_MS) await requirePauses(t, read);
      t.expect(
        'arrivals of chunks',
        `spread over at least ${SPREAD_MS} ms`,
        `${times.length} within ${spread} ms`,
        spread >= SPREAD_MS,
      );
    },
  },
  {
    id: 'stream.plain-job',
    title: 'stream of a job without chunks returns an empty list',
    clauses: ['stream.envelope'],
    async run(t) {
      const reply = await t.jobs.stream((await quickJob(t)).id);
      t.requireOk(reply);
      t.expect('stream', 'a list', show(at(reply.json, 'stream')), Array.isArray(at(reply.json, 'stream')));
    },
  },
];
