/** For tests only: one check's exchanges as a whole run of a service. */
import type { CheckFacts, Exchange } from '../../../schemas/facts.ts';
import type { TargetConfig } from '../../../schemas/target.ts';
import { differencesByCheck, type Observed } from '../check.ts';

const target: TargetConfig = {
  kind: 'remote',
  baseUrl: 'http://a.example',
  jobBaseUrl: 'http://a.example',
  endpoints: [{ instId: 'inst-1', workersMax: 3, dedicated: true }],
  model: 'acme/base-70b',
};

const JOBS = 'http://a.example/api/v1/sl/inst-1';

/** `POST run` answered with this body and status 200, unless given otherwise. */
export function sent(body: unknown, changes: Partial<Exchange> & { readonly path?: string } = {}): Exchange {
  const { path = '/run', ...rest } = changes;
  return {
    method: 'POST',
    url: `${JOBS}${path}`,
    requestHeaders: { authorization: 'Bearer ***', 'content-type': 'application/json' },
    requestBody: '{"input":{"echo":"x"}}',
    status: 200,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: JSON.stringify(body),
    durationMs: 3,
    ...rest,
  };
}

/** A run of one check, or of several by their ids. */
export function observed(
  exchanges: readonly Exchange[] | Readonly<Record<string, readonly Exchange[]>>,
  changes: Partial<TargetConfig> = {},
  runId = 'a-run',
): Observed {
  const list = Array.isArray(exchanges) ? { 'run.a': exchanges } : exchanges;
  const facts = Object.entries(list).map(([id, own]): CheckFacts => {
    const expectations = [{ what: 'w', expected: 'e', observed: 'o', holds: true }];
    const declared = { id, title: id, clauses: [], level: 'documented' } as const;
    return { ...declared, outcome: { kind: 'ran', expectations }, exchanges: own, durationMs: 1 };
  });
  return { facts, target: { ...target, ...changes }, runId };
}

/** The sentences about the one check of two runs. */
export function reported(ours: readonly Exchange[], theirs: readonly Exchange[]): string[] {
  const found = differencesByCheck(observed(ours), observed(theirs));
  return [...found.values()].flat().map(({ text }) => text);
}
