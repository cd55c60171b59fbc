/** Work on an instance: what is left behind when it is over, and a failure at its very end. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { seeded } from '../../../schemas/seeded.ts';
import { clientOf, Visitor } from '../../client.ts';
import { type Clock, virtualClock } from '../../clock.ts';
import { defaultOptions } from '../../options.ts';
import { createService } from '../../service.ts';
import { Balancer } from './balancer.ts';
import { workedFor } from './lease.ts';

const options = defaultOptions({});

test('an instance that fails in the moment in which the work is done has not done it', async () => {
  let sleeps = 0;
  const clock: Clock = {
    now: () => 0,
    async sleep() {
      sleeps += 1;
      if (sleeps === 1) balancer.fail('inference-1');
    },
  };
  const balancer = new Balancer(
    { instances: 2, replaceMs: 0 },
    { ...clock, sleep: () => new Promise(() => undefined) },
  );
  const work = { balancer, clock, options, random: seeded(1), client: new Visitor() };
  expect(await workedFor(work, () => 5)).toBe('inference-2');
  expect(sleeps).toBe(2);
  expect(balancer.list().map(({ inFlight }) => inFlight)).toEqual([0, 0]);
});

test('work that takes no time does not wait', async () => {
  const clock = virtualClock();
  const balancer = new Balancer({ instances: 1, replaceMs: 0 }, clock);
  const start = clock.now();
  const work = { balancer, clock, options, random: seeded(1), client: new Visitor() };
  expect(await workedFor(work, () => 0)).toBe('inference-1');
  expect(clock.now()).toBe(start);
});

test('a client that sends many requests with one signal is left without listeners of those that are over', async () => {
  const clock = virtualClock();
  const service = createService(options, { clock, random: seeded(1) });
  const { signal } = new AbortController();
  const request = async (stream: boolean): Promise<void> => {
    const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', stream });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    void writer.write(new TextEncoder().encode(body)).then(() => writer.close());
    const reply = await service.reply(
      {
        method: 'POST',
        url: 'http://reference/v1/completions',
        headers: new Headers({ authorization: `Bearer ${options.accessKeys[0]}` }),
        body: readable,
        client: clientOf({ signal }),
      },
      { address: '192.0.2.1' },
    );
    expect(reply.status).toBe(200);
    if (typeof reply.body === 'string') return;
    for await (const _piece of reply.body);
  };
  for (const stream of [false, true, true]) await request(stream);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  service.close();
});
