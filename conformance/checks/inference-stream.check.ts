/** Streams of interface A: framing, order, end, and that they are sent while they are made. */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import { chunked, complete, completing, streamed, textOf, thoughtOf, withChoices } from '../fixtures/completions.ts';
import { chunksOf, DONE } from '../reading/events.ts';
import { unreadFor } from '../target/own-loop.ts';
import { durationOf } from '../target/reply.ts';

const WITH_USAGE = { stream_options: { include_usage: true } };
/** Generation shorter than this can't be distinguished from one that was held back. */
const TELLING_MS = 500;

const common = completing.flatMap((name): CheckDefinition[] => [
  {
    id: `${name}.stream.framing`,
    title: `With stream, ${name} sends server-sent events with JSON data`,
    clauses: ['inference.stream-framing'],
    async run(t) {
      const { reply, stream } = await streamed(t, name);
      t.requireOk(reply, 'assertion');
      const type = reply.headers['content-type'] ?? 'none';
      t.expect('content-type', 'text/event-stream', type, /^text\/event-stream\b/i.test(type));
      t.expect('events', 'at least one', String(stream.events.length), stream.events.length > 0);
      const bad = stream.events.filter((one) => one.data !== DONE && !one.data.startsWith('{')).map((one) => one.data);
      t.expect(
        'the data of every event',
        'a JSON object',
        bad.length > 0 ? show(bad[0]) : 'a JSON object in each',
        bad.length === 0,
      );
      t.expect('lines other than data', 'none', show(stream.garbage), stream.garbage.length === 0);
    },
  },
  {
    id: `${name}.stream.end`,
    title: `A ${name} stream ends with [DONE]`,
    clauses: ['inference.stream-end'],
    async run(t) {
      const { stream } = await chunked(t, name);
      const last = stream.events.at(-1)?.data ?? 'no event';
      t.expect('the last event', DONE, show(last), last === DONE);
      const count = stream.events.filter((one) => one.data === DONE).length;
      t.expect('closing events', '1', String(count), count === 1);
      t.expect('text after the last event', 'none', show(stream.unfinished), stream.unfinished === '');
    },
  },
  {
    id: `${name}.stream.id`,
    title: `Every chunk of a ${name} stream has the same id`,
    clauses: ['inference.stream-framing'],
    async run(t) {
      const { chunks } = await chunked(t, name);
      const ids = [...new Set(chunks.map((one) => at(one, 'id')))];
      t.expect('the id of all chunks', 'the same', show(ids), ids.length === 1 && ids[0] !== undefined);
    },
  },
  {
    id: `${name}.stream.text`,
    title: `The chunks of a ${name} stream carry text and then a finish_reason`,
    clauses: ['inference.stream-framing', 'inference.drop-in'],
    level: 'convention',
    because: 'streaming itself is not documented',
    async run(t) {
      const { chunks } = await chunked(t, name);
      const choices = chunks.map((one) => at(one, 'choices', 0)).filter((one) => one !== undefined);
      const whole = choices
        .map((one) => textOf(name, one) || thoughtOf(one))
        .filter((one) => typeof one === 'string')
        .join('');
      t.expect('the text of all chunks', 'some', show(whole), whole !== '');
      const reasons = choices.map((one) => at(one, 'finish_reason')).filter((one) => typeof one === 'string');
      t.expect('finish reasons', 'exactly one', show(reasons), reasons.length === 1);
    },
  },
  {
    id: `${name}.stream.incremental`,
    title: `A ${name} stream is sent while it is generated`,
    clauses: ['inference.stream-incremental'],
    async run(t) {
      const { reply, stream } = await chunked(t, name);
      const arrivals = new Set(stream.events.map((one) => one.atMs));
      const [first = reply.endMs] = arrivals;
      const [waited, whole] = [Math.round(first - reply.sentMs), Math.round(durationOf(reply))];
      const spread = reply.endMs - first;
      if (whole < TELLING_MS && arrivals.size < 2) {
        t.inconclusive(`the whole stream took ${whole} ms`, 'use a slower model, so that buffering can be seen');
      }
      const counts = `${stream.events.length} events in ${arrivals.size} arrivals`;
      const observed = `${counts}, the first after ${waited} of ${whole} ms`;
      const isSpread = arrivals.size > 1 && spread > 0;
      const unread = isSpread ? null : unreadFor(reply);
      if (unread !== null) t.inconclusive(`${observed}; ${unread}`, 'run it on a less busy machine');
      t.expect('arrivals', 'spread over the duration of the stream', observed, isSpread);
    },
  },
  {
    id: `${name}.stream.usage`,
    title: `With include_usage, the last chunk of a ${name} stream has the usage`,
    clauses: ['inference.stream-usage'],
    async run(t) {
      await chunked(t, name);
      const { reply, stream } = await streamed(t, name, WITH_USAGE);
      t.requireOk(reply, 'assertion');
      const last = chunksOf(stream).at(-1);
      t.expect('choices of the last chunk', '[]', show(at(last, 'choices')), show(at(last, 'choices')) === '[]');
      const total = at(last, 'usage', 'total_tokens');
      t.expect('usage of the last chunk', 'a number of tokens', show(total), typeof total === 'number' && total > 0);
    },
  },
  {
    id: `${name}.stream.error`,
    title: `${name} rejects an invalid stream request with a status, not with an event`,
    clauses: ['inference.unknown-model', 'inference.error-envelope'],
    async run(t) {
      await chunked(t, name);
      const model = 'no-such-owner/no-such-model';
      t.expectStatus(await complete(t, name, { model, stream: true }), 404, 400);
    },
  },
]);

export const checks: readonly CheckDefinition[] = [
  ...common,
  {
    id: 'chat.stream.role',
    title: 'The first chunk of a chat stream has the role assistant',
    clauses: ['inference.stream-framing'],
    async run(t) {
      const { chunks } = await chunked(t, 'chat');
      const [first] = withChoices(chunks);
      const role = at(first, 'choices', 0, 'delta', 'role');
      t.expect('the role of the first chunk', '"assistant"', show(role), role === 'assistant');
    },
  },
];
