/** A job that goes on is told from one that was stopped, and from one that was never there to be stopped. */
import { expect, test } from 'vitest';
import { CheckContext } from '../context.ts';
import { Inconclusive } from '../target/signals.ts';
import { type Fake, json, openFake } from '../testing/fake-dispatcher.ts';
import { attempt, expectUntouched } from './untouched.ts';

interface Asked {
  readonly method: string;
  readonly id: string;
  readonly stranger: boolean;
}

/** A service whose jobs run until a cancel that it takes for a real one. */
function running(takes: (asked: Asked, known: ReadonlySet<string>) => boolean, states = ['IN_PROGRESS']): Fake {
  const known = new Set<string>();
  const cancelled = new Set<string>();
  return ({ method, path, headers }) => {
    const [, id = ''] = /\/(?:status|cancel)\/(.*)$/.exec(path) ?? [];
    if (path.endsWith('/run')) {
      const fresh = `job-${known.size}-of-this-service`;
      known.add(fresh);
      return json(200, { id: fresh, status: 'IN_QUEUE' });
    }
    if (path.includes('/status/')) {
      return json(200, { id, status: cancelled.has(id) ? 'CANCELLED' : (states[0] ?? 'IN_QUEUE') });
    }
    const right = headers.get('authorization') === 'Bearer fake-job-key';
    const real = method === 'POST' && right && known.has(id);
    const target = [...known].find((one) => one.startsWith(id) || id.startsWith(one)) ?? id;
    if (real || takes({ method, id, stranger: !right }, known)) cancelled.add(target);
    return real ? json(200, { id, status: 'CANCELLED' }) : json(right ? 404 : 401, { error: 'no' });
  };
}

const contextOf = (fake: Fake): CheckContext => new CheckContext(openFake(fake), new AbortController().signal);

const NAMES = ['no-key', 'wrong-key', 'longer-id', 'shorter-id', 'get'] as const;

/** Which of the attempts left the job alone. */
async function left(fake: Fake): Promise<readonly string[]> {
  const t = contextOf(fake);
  const alone: string[] = [];
  for (const name of NAMES) {
    const before = t.expectations.length;
    expectUntouched(t, await attempt(t, name, 'nothing'));
    if (t.expectations.slice(before).every((one) => one.holds)) alone.push(name);
  }
  return alone;
}

test('where each is refused and does nothing, the job goes on after all of them', async () => {
  expect(await left(running(() => false))).toEqual([...NAMES]);
});

test('each that stops the job is found, and only that one', async () => {
  expect(await left(running(({ stranger }) => stranger))).toEqual(['longer-id', 'shorter-id', 'get']);
  expect(await left(running(({ method }) => method === 'GET'))).toEqual(NAMES.slice(0, -1));
  expect(await left(running(({ id, stranger }, known) => !stranger && !known.has(id)))).toEqual([
    'no-key',
    'wrong-key',
    'get',
  ]);
});

test('where a job is over at once, or a real cancel shows nothing, nothing is said', async () => {
  await expect(attempt(contextOf(running(() => false, ['COMPLETED'])), 'get', 'x')).rejects.toBeInstanceOf(
    Inconclusive,
  );
  const deaf: Fake = () => json(200, { id: 'job-of-this-service', status: 'IN_PROGRESS' });
  await expect(attempt(contextOf(deaf), 'get', 'x')).rejects.toThrow('after a valid cancel');
});

test('an id that may be somebody’s without its last character is not shortened', async () => {
  const numbered: Fake = () => json(200, { id: '12', status: 'IN_PROGRESS' });
  const t = contextOf(numbered);
  await expect(attempt(t, 'shorter-id', 'longer ids')).rejects.toBeInstanceOf(Inconclusive);
  const asked = t.evidence.list().map(({ url }) => url.replace(/^.*\/(?=cancel)/, ''));
  expect(asked).toContain('cancel/12x');
  expect(asked).not.toContain('cancel/1');
});
