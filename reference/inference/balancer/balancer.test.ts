/** The balancer alone: whom it chooses, what a failure does, and a random life compared with a simple model. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Visitor } from '../../client.ts';
import { virtualClock } from '../../clock.ts';
import { Refusal } from '../../errors.ts';
import { Balancer, type InstanceRecord } from './balancer.ts';
import type { Lease } from './lease.ts';

function fresh(instances = 3, replaceMs = 1000) {
  const clock = virtualClock({ startMs: 0 });
  return { clock, balancer: new Balancer({ instances, replaceMs }, clock) };
}

const inFlight = (balancer: Balancer): number[] => balancer.list().map((one) => one.inFlight);
const names = (balancer: Balancer): string[] => balancer.list().map((one) => one.name);
const healthy = (all: readonly InstanceRecord[]): InstanceRecord[] => all.filter((one) => one.state === 'healthy');

test('equals take turns, and the one with the least to do comes first', async () => {
  const { balancer } = fresh();
  const leases: Lease[] = [];
  for (let count = 0; count < 6; count += 1) leases.push(await balancer.take(new Visitor()));
  expect(leases.map((lease) => lease.name)).toEqual([1, 2, 3, 1, 2, 3].map((number) => `inference-${number}`));
  expect(inFlight(balancer)).toEqual([2, 2, 2]);
  leases[4]?.free();
  leases[4]?.free();
  expect(inFlight(balancer)).toEqual([2, 1, 2]);
  expect((await balancer.take(new Visitor())).name).toBe('inference-2');
});

test('an idle balancer takes turns too', async () => {
  const { balancer } = fresh(2);
  const seen: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const lease = await balancer.take(new Visitor());
    seen.push(lease.name);
    lease.free();
  }
  expect(seen).toEqual(['inference-1', 'inference-2', 'inference-1', 'inference-2']);
});

test('a failed instance loses its leases at once, gets none, and is replaced by a new one', async () => {
  const { balancer, clock } = fresh(2);
  const [first, second] = [await balancer.take(new Visitor()), await balancer.take(new Visitor())];
  const { signal } = first;
  expect(balancer.fail('inference-1')).toEqual({ name: 'inference-1', state: 'failed', inFlight: 0 });
  expect([first.lost, signal.aborted, second.lost, second.signal.aborted]).toEqual([true, true, false, false]);
  expect(balancer.fail('inference-1')).toMatchObject({ state: 'failed' });
  expect(balancer.fail('inference-9')).toBeNull();
  expect((await balancer.take(new Visitor())).name).toBe('inference-2');
  await clock.sleep(999);
  expect(names(balancer)).toEqual(['inference-1', 'inference-2']);
  await clock.sleep(1);
  await clock.sleep(1);
  expect(balancer.list()).toEqual([
    { name: 'inference-3', state: 'healthy', inFlight: 0 },
    { name: 'inference-2', state: 'healthy', inFlight: 2 },
  ]);
  expect((await balancer.take(new Visitor())).name).toBe('inference-3');
});

test('a signal that is made after the failure is aborted at once', async () => {
  const { balancer } = fresh(1);
  const lease = await balancer.take(new Visitor());
  balancer.fail('inference-1');
  expect(lease.signal.aborted).toBe(true);
  expect(lease.signal.reason).toMatchObject({ message: 'inference-1 failed' });
});

test('a request whose client disconnects is no longer in flight, and its work is aborted', async () => {
  const { balancer } = fresh(1);
  const client = new Visitor();
  const lease = await balancer.take(client);
  client.leave(new Error('gone'));
  expect(inFlight(balancer)).toEqual([0]);
  expect([lease.signal.aborted, lease.lost]).toEqual([true, false]);
  balancer.fail('inference-1');
  expect(lease.lost).toBe(false);
  await expect(balancer.take(client)).rejects.toThrow('gone');
});

test('without a healthy instance requests wait for the replacement, unless they are given up', async () => {
  const { balancer, clock } = fresh(1, 5000);
  balancer.fail('inference-1');
  const client = new Visitor();
  const [given, kept] = [balancer.take(client), balancer.take(new Visitor())];
  client.leave(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  expect((await kept).name).toBe('inference-2');
  expect(clock.now()).toBe(5000);
});

test('no instance is ever coming: none was wanted, or the service is closed', async () => {
  const none = fresh(0).balancer;
  expect(none.list()).toEqual([]);
  const refused: unknown = await none.take(new Visitor()).catch((error: unknown) => error);
  expect(refused instanceof Refusal && refused.reply.status).toBe(503);
  const { balancer, clock } = fresh(1);
  balancer.fail('inference-1');
  const waiting = balancer.take(new Visitor()).catch((error: unknown) => error);
  balancer.close();
  expect(await waiting).toBeInstanceOf(Refusal);
  expect(clock.sleeping).toBe(0);
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ does: 'take' as const }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('free' as const), which: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('leave' as const), which: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('fail' as const), which: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.nat(1500) }) },
);

test('in any life no failed instance is chosen, the least busy one is, and every request counts once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), async (steps, instances) => {
      const { balancer, clock } = fresh(instances);
      const everFailed = new Set<string>();
      let open: { lease: Lease; client: Visitor }[] = [];
      for (const one of steps) {
        const before = balancer.list();
        if (one.does === 'take' && healthy(before).length > 0) {
          const client = new Visitor();
          const lease = await balancer.take(client);
          expect(everFailed).not.toContain(lease.name);
          const least = Math.min(...healthy(before).map((record) => record.inFlight));
          expect(before.find(({ name }) => name === lease.name)).toMatchObject({ inFlight: least, state: 'healthy' });
          open.push({ lease, client });
        }
        const chosen = 'which' in one ? open[one.which % Math.max(1, open.length)] : undefined;
        if (chosen && one.does === 'free') chosen.lease.free();
        if (chosen && one.does === 'leave') chosen.client.leave(new Error('gone'));
        if (chosen && one.does !== 'fail') open = open.filter((other) => other !== chosen);
        if (one.does === 'fail') {
          const victim = before[one.which % before.length]?.name ?? '';
          balancer.fail(victim);
          everFailed.add(victim);
          const [lost, kept] = [true, false].map((is) => open.filter(({ lease }) => lease.lost === is));
          expect(lost?.every(({ lease }) => lease.name === victim)).toBe(true);
          open = kept ?? [];
        }
        if (one.does === 'wait') await clock.sleep(one.ms);
        expect(inFlight(balancer).reduce((sum, count) => sum + count, 0)).toBe(open.length);
        expect(names(balancer)).toHaveLength(instances);
        expect(new Set(names(balancer)).size).toBe(instances);
      }
      await clock.sleep(2000);
      expect(healthy(balancer.list())).toHaveLength(instances);
      expect(names(balancer).filter((name) => everFailed.has(name))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
