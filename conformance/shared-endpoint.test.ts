/**
 * On an endpoint that others use too, the suite touches nothing but its own: no purge is sent, not even one that would
 * be refused, only jobs of its own are cancelled, and every body and user agent says whose it is.
 */
import { expect, test } from 'vitest';
import { virtualClock } from '../reference/clock.ts';
import { InProcessDispatcher } from '../reference/dispatcher.ts';
import { defaultOptions } from '../reference/options.ts';
import { routeOf } from '../reference/routes.ts';
import { createService, type Service } from '../reference/service.ts';
import { jobIdOf } from '../schemas/job-answer.ts';
import { parseJson } from '../schemas/json.ts';
import type { TargetConfig } from '../schemas/target.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { LOCAL_BROKE_KEY, LOCAL_KEY, LOCAL_OTHER_KEY } from './target/credentials.ts';
import { openDispatcher } from './target/in-process.ts';

const RUN = 'run-shared';
/** Somebody else's job, and it would be the first one in any list. */
const DAY_MS = 24 * 3600 * 1000;
const SENT_BY_OTHERS = JSON.stringify({
  input: { delay_ms: 5 * DAY_MS },
  policy: { executionTimeout: 6 * DAY_MS, ttl: 7 * DAY_MS },
});

interface SentRequest {
  readonly operation: string | null;
  readonly jobId: string | null;
  readonly userAgent: string;
}

async function recorded(dedicated: boolean) {
  const [clock, options] = [virtualClock(), defaultOptions({})];
  const inner = createService(options, { clock, random: Math.random });
  const requested: SentRequest[] = [];
  const ours = new Set<string>();
  const service: Service = {
    ...inner,
    async reply(request, context) {
      const route = routeOf(new URL(request.url).pathname);
      const operation = route?.operation.id ?? null;
      const userAgent = request.headers.get('user-agent') ?? '';
      requested.push({ operation, jobId: route?.parameters.job_id ?? null, userAgent });
      const reply = await inner.reply(request, context);
      const id = typeof reply.body === 'string' ? jobIdOf(parseJson(reply.body)) : null;
      if (id !== null && (operation === 'run' || operation === 'runsync')) ours.add(id);
      return reply;
    },
  };
  const url = 'http://shared.local';
  const endpoints = options.instances.map((one) => ({ ...one, dedicated }));
  const config: TargetConfig = { kind: 'remote', baseUrl: url, jobBaseUrl: url, endpoints, model: 'acme/base-70b' };
  const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
  const submission = new Request(`${url}/api/v1/sl/inst-1/run`, { method: 'POST', headers, body: SENT_BY_OTHERS });
  const others = jobIdOf(await (await inner.handle(submission, { address: '10.0.0.9' })).json()) ?? '';
  const target = openDispatcher(new InProcessDispatcher(service), clock, {
    config,
    credentials: { accessKey: LOCAL_KEY, jobKey: null, brokeKey: LOCAL_BROKE_KEY, otherKey: LOCAL_OTHER_KEY },
    runId: RUN,
  });
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
  const status = new Request(`${url}/api/v1/sl/inst-1/status/${others}`, { headers });
  const after: unknown = await (await inner.handle(status, { address: '10.0.0.9' })).json();
  return { requested, ours, others, after, facts };
}

test('nothing of others is purged, cancelled or hidden', { timeout: 60_000 }, async () => {
  const { requested, ours, others, after, facts } = await recorded(false);
  expect(requested.length).toBeGreaterThan(500);
  expect(requested.filter(({ operation }) => operation === 'purge-queue')).toEqual([]);
  const cancelled = requested.flatMap(({ operation, jobId }) =>
    operation === 'cancel' && jobId !== null ? [jobId] : [],
  );
  expect(cancelled.length).toBeGreaterThan(5);
  expect(cancelled).not.toContain(others);
  expect(after).toMatchObject({ status: 'IN_PROGRESS' });
  // Ids that nobody has are cancelled on purpose; no id that the suite took from anywhere else is.
  const known = cancelled.filter((id) => !ours.has(id));
  expect(known.filter((id) => facts.every(({ exchanges }) => !mentionsAnswered(exchanges, id)))).toEqual(known);
});

/** Whether an answer held this id as the id of a job, so that it is one that somebody has. */
function mentionsAnswered(exchanges: readonly { readonly responseBody?: string }[], id: string): boolean {
  return exchanges.some(({ responseBody = '' }) => responseBody.includes(`"id":"${id}"`));
}

test('every job that is wished for names the run, and so does every request', { timeout: 60_000 }, async () => {
  const { requested, facts } = await recorded(true);
  expect(requested.filter(({ userAgent }) => !userAgent.includes(RUN))).toEqual([]);
  const bodies = facts
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ url, status }) => /\/(run|runsync)$/.test(url) && status === 200)
    .map(({ requestBody }) => requestBody ?? '');
  expect(bodies.length).toBeGreaterThan(50);
  // A job that puts out 42 can only name it in its header.
  const wished = bodies.filter((body) => /"(delay_ms|chunks|fail)":/.test(body));
  expect([...new Set(wished.filter((body) => !body.includes(RUN)))]).toEqual([]);
});
