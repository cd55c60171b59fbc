/** stream read otherwise than by one reader to a good end: late, side by side, failing, cut short. */
import { isFinal, outputOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { lived } from '../fixtures/life.ts';
import { type CutRead, cutRead, failedRead, lateRead, readTogether, requireChunks } from '../fixtures/readers.ts';
import { chunksIn, drained, MOST_READS, requireNumbers } from '../fixtures/stream.ts';
import { isStopped, submit } from '../fixtures/submit.ts';
import { lastStateIn, streamStateOf } from '../reading/chunks.ts';
import { describe, isOk } from '../target/reply.ts';

/** As long as clients wait for an answer of stream, milliseconds. */
const READ_TIMEOUT_MS = 10_000;
const READS = 3;
const READ_WITHIN_MS = 20_000;
const PAUSE_MS = 50;
const GROWTH = 1.2;

function requireCut(t: CheckContext, { overBefore, waiting }: CutRead): void {
  if (!overBefore && streamStateOf(waiting.text) !== 'completed') return;
  t.inconclusive(
    `the job or the streamed response had ended when the job was cancelled (${describe(waiting)})`,
    'run it where responses arrive before the job ends',
  );
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'stream.late',
    title: 'stream returns every chunk once and in order after the job has ended',
    clauses: ['stream.results'],
    async run(t) {
      const usual = await drained(t);
      requireNumbers(t, usual);
      requireChunks(t, usual.numbers.length > 0, 'a reader from the start got none');
      const { numbers, expected } = await lateRead(t);
      t.expect('the chunks', show(expected), show(numbers), show(numbers) === show(expected));
    },
  },
  {
    id: 'stream.apart',
    title: 'Each of several concurrent streams has only the chunks of its own job',
    clauses: ['stream.results', 'jobs.id-in-paths'],
    async run(t) {
      const usual = await drained(t);
      requireNumbers(t, usual);
      requireChunks(t, usual.numbers.length > 0, 'a single reader got none');
      for (const [index, { numbers, expected, over }] of (await readTogether(t)).entries()) {
        const first = show([...new Set(numbers)]);
        // A busy endpoint may not have started it yet.
        if (!over && numbers.length < expected.length) t.inconclusive('a job did not end in time', 'see run.completes');
        t.expect(
          `the chunks of job ${index + 1}, in order of arrival`,
          show(expected),
          first,
          first === show(expected),
        );
      }
    },
  },
  {
    id: 'stream.failing',
    title: 'stream returns the chunks of a handler that fails later',
    clauses: ['stream.results'],
    async run(t) {
      const read = await failedRead(t);
      requireNumbers(t, read);
      const { numbers, expected, ranMs, plainMs, requestedMs } = read;
      // Between the polls that show it running there are pauses.
      const made = numbers.length > 0 || ranMs - plainMs >= requestedMs / 2;
      const without = `one without chunks for ${Math.round(plainMs)} ms at most`;
      requireChunks(t, made, `none, and the job was seen to run for ${ranMs} ms before it failed, ${without}`);
      t.expect('the chunks', show(expected), show(numbers), show(numbers) === show(expected));
    },
  },
  {
    id: 'stream.failing.state',
    title: 'The stream of a failed job ends with FAILED',
    clauses: ['jobs.states', 'stream.envelope'],
    async run(t) {
      const { replies, ended } = await failedRead(t);
      const end = replies.at(-1);
      const word = stateWordOf(lastStateIn(end?.text ?? ''));
      t.precondition('the job', 'an end', ended.state, isFinal(ended.state));
      t.expect('its state', 'FAILED', show(word), word === 'FAILED');
    },
  },
  {
    id: 'stream.cancelled',
    title: 'stream responds soon when its job is cancelled',
    clauses: ['jobs.states', 'stream.envelope'],
    async run(t) {
      const cut = await cutRead(t);
      requireCut(t, cut);
      const { waiting, cancelledMs } = cut;
      const late = Math.round(waiting.endMs - cancelledMs);
      const heard = isStopped({ state: streamStateOf(waiting.text) }) && late <= READ_TIMEOUT_MS;
      const expected = `a cancelled job, within ${READ_TIMEOUT_MS} ms`;
      t.expect('the response of stream', expected, `${describe(waiting)} after ${late} ms`, heard);
    },
  },
  {
    id: 'stream.cancelled.chunks',
    title: 'stream returns the chunks of a cancelled job once and in order',
    clauses: ['stream.drains'],
    async run(t) {
      const cut = await cutRead(t);
      requireCut(t, cut);
      requireNumbers(t, cut);
      const { numbers } = cut;
      requireChunks(t, numbers.length > 0, 'none before the cancel');
      const expected = numbers.map((_, index) => index);
      t.expect('the chunks', show(expected), show(numbers), show(numbers) === show(expected));
    },
  },
  {
    id: 'stream.stays',
    title: 'An ended stream keeps returning its final state and an empty list',
    clauses: ['stream.stays'],
    async run(t) {
      const { replies } = await drained(t);
      const last = replies.at(-1);
      t.precondition(
        'the stream has ended',
        'a final state',
        last ? describe(last) : 'no answer',
        last !== undefined && isFinal(streamStateOf(last.text)),
      );
      const job = await lived(t, 'streaming');
      for (let read = 0; read <= READS; read += 1) {
        const reply = await t.jobs.stream(job.id);
        // The first may still bring chunks, since this one has not been read yet.
        if (read === 0) continue;
        const list = at(reply.json, 'stream');
        const fine = isOk(reply) && isFinal(streamStateOf(reply.text)) && Array.isArray(list) && list.length === 0;
        t.expect(`read ${read} after the end`, 'a final state and an empty list', describe(reply), fine);
      }
    },
  },
  {
    id: 'stream.items',
    title: 'Every chunk is a separate item in the list',
    clauses: ['stream.envelope'],
    async run(t) {
      // Read late, so that one answer holds several.
      const read = await lateRead(t);
      requireNumbers(t, read);
      const { numbers, replies } = read;
      requireChunks(t, numbers.length > 0, 'none');
      for (const reply of replies) {
        const list = at(reply.json, 'stream');
        const items = Array.isArray(list) ? list.length : 0;
        const chunks = chunksIn(reply.text).length;
        t.expect('items of a response', `${chunks} or more, one for each chunk`, String(items), items >= chunks);
      }
    },
  },
  {
    id: 'stream.gap.two-readers',
    title: 'Chunks that two readers of one stream get, and the record afterwards',
    clauses: ['gap.stream-response'],
    async run(t) {
      t.needWorkers();
      const job = await submit(t, { chunks: 6, chunk_delay_ms: PAUSE_MS });
      const until = t.clock.now() + READ_WITHIN_MS;
      const reader = async (): Promise<unknown[]> => {
        const had: unknown[] = [];
        let before: string | null = null;
        for (let read = 0, pauseMs = PAUSE_MS; read < MOST_READS && t.clock.now() < until; read += 1) {
          const reply = await t.jobs.stream(job.id);
          had.push(...chunksIn(reply.text));
          if (!isOk(reply) || isFinal(streamStateOf(reply.text))) break;
          // Where stream does not show the end, status does; and where neither does, a response without news.
          const ended = async (): Promise<boolean> => {
            const state = stateOf((await t.jobs.status(job.id)).json);
            return isFinal(state) || (state === 'unknown' && had.length > 0);
          };
          if (reply.text === before && (await ended())) break;
          before = reply.text;
          await t.sleep(pauseMs);
          pauseMs *= GROWTH;
        }
        return had;
      };
      const [one, other] = await Promise.all([reader(), reader()]);
      t.note('chunks of the first reader', show(one));
      t.note('chunks of the second reader', show(other));
      t.note('output in the record', show(outputOf((await t.jobs.status(job.id)).json)));
    },
  },
];
