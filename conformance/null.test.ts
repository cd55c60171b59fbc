/** Services that do nothing right must not satisfy anything that claims something. */
import { expect, test } from 'vitest';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { type Fake, json, openFake } from './testing/fake-dispatcher.ts';
import { passedOf } from './testing/passed.ts';

const page = '<!doctype html><title>Welcome</title><p>It works';

const nullTargets: Readonly<Record<string, Fake>> = {
  'always 200 {}': () => json(200, {}),
  'always 200 []': () => json(200, []),
  'always 200 null': () => json(200, null),
  'always 200 without a body': () => ({ status: 200, headers: {}, body: '' }),
  'always a page': () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: page }),
  'always 204': () => ({ status: 204, headers: {}, body: '' }),
  'always 401': () => json(401, { error: 'unauthorized' }),
  'always 404': () => json(404, { error: 'not found' }),
  'always 429': () => json(429, { error: 'slow down' }),
  'always 500': () => json(500, { error: 'broken' }),
  'always a redirect': () => ({ status: 302, headers: { location: 'http://elsewhere.local/' }, body: '' }),
  'the request back': ({ text }) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: text || '{}',
  }),
};

test.each(Object.keys(nullTargets))(
  '%s satisfies no claim',
  async (name) => {
    const target = openFake(nullTargets[name] ?? (() => json(500, null)));
    const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
    expect(facts.length).toBe(allChecks.length);
    expect(facts.filter(({ outcome }) => outcome.kind === 'error').map(({ id, outcome }) => [id, outcome])).toEqual([]);
    const satisfied = passedOf(facts).filter(({ level }) => level !== 'observed');
    expect(satisfied.map((one) => one.id)).toEqual([]);
    expect(facts.some(({ outcome }) => outcome.kind === 'ran')).toBe(true);
  },
  60_000,
);
