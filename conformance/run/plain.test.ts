import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { type Check, check } from '../check.ts';
import { machineClock } from '../target/clock.ts';
import { Target } from '../target/target.ts';
import { json, openFake } from '../testing/fake-dispatcher.ts';
import { runPlain } from './plain.ts';

const virtual = openFake(() => json(200, {}));
/** The same service, but on the machine's time, so that checks may run side by side. */
const onMachineTime = () =>
  new Target({
    config: virtual.config,
    credentials: { accessKey: null, jobKey: null, brokeKey: null, otherKey: null },
    dispatcher: new Agent(),
    clock: machineClock,
    virtual: false,
  });

test('alone means alone, and facts come in the order of the checks', async () => {
  const real = onMachineTime();
  let running = 0;
  let most = 0;
  const one = (id: string, alone: boolean): Check =>
    check({
      id,
      title: 't',
      clauses: ['models.list'],
      alone,
      run: async (t) => {
        running += 1;
        if (alone) t.expect('others', '0', String(running - 1), running === 1);
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        t.note('x', 'y');
      },
    });
  const checks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id, index) => one(`models.${id}`, index % 4 === 1));
  const facts = await runPlain(checks, { target: real, profile: 'gate', signal: new AbortController().signal });
  expect(facts.map((fact) => fact.id)).toEqual(checks.map((each) => each.id));
  expect(facts.every(({ outcome }) => outcome.kind === 'ran' && outcome.expectations.every((each) => each.holds))).toBe(
    true,
  );
  expect(most).toBeGreaterThan(1);
  await real.close();
});

test('other jobs come when the checks that are sensitive to them allow it, or are over', async () => {
  for (const lets of [true, false]) {
    const target = onMachineTime();
    const reported: string[] = [];
    const waiting = new Map<string, () => void>();
    const tell = (what: string): void => {
      reported.push(what);
      waiting.get(what)?.();
    };
    const until = (what: string): Promise<void> =>
      reported.includes(what) ? Promise.resolve() : new Promise((resolve) => waiting.set(what, resolve));
    const one = (id: string, first: boolean): Check =>
      check({
        id,
        title: 't',
        clauses: ['models.list'],
        alone: first,
        first,
        run: async (t) => {
          tell(`${id} begins`);
          if (first) await until('models.a ends');
          if (first && lets) {
            tell('open');
            t.target.crowd.open();
            await until('run.a ends');
          }
          t.note('x', 'y');
          tell(`${id} ends`);
        },
      });
    const checks = [one('run.a', false), one('models.a', false), one('purge-queue.a', true)];
    await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
    const order = lets
      ? ['open', 'run.a begins', 'run.a ends', 'purge-queue.a ends']
      : ['purge-queue.a ends', 'run.a begins', 'run.a ends'];
    expect(reported).toEqual(['purge-queue.a begins', 'models.a begins', 'models.a ends', ...order]);
    await target.close();
  }
});

test('an interrupted run rejects', async () => {
  const stopped = AbortSignal.abort(new Error('stopped'));
  const never = check({ id: 'models.x', title: 't', clauses: ['models.list'], run: async () => {} });
  await expect(runPlain([never], { target: virtual, profile: 'gate', signal: stopped })).rejects.toThrow('stopped');
});
