/**
 * For tests only: results of each kind, with every kind of picture. Clauses, checks and limits are the real ones, so
 * the samples look like real reports; the observations are made up.
 */
import { clauses } from '../../schemas/clauses/index.ts';
import type { Exchange, GeneratorHealth } from '../../schemas/facts.ts';
import { limits } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { operations } from '../../schemas/operations.ts';
import type { ReferenceReport, ResultCheck, ResultLimit, Results } from '../../schemas/results.ts';
import type { CheckDeclaration, Verdict } from '../../schemas/verdicts.ts';
import { assemble } from '../assemble.ts';
import { mostSevere } from '../severity.ts';
import { sampleAchieved, sampleLatency, sampleStreams } from './fixtures-latency.ts';
import { samplePictures } from './fixtures-pictures.ts';

export type SampleKind = 'passing' | 'failing' | 'inconclusive' | 'interrupted' | 'hostile';

/** Texts a target might answer with to break the report that quotes them. */
export const hostileTexts: readonly string[] = [
  '<script>document.title = "owned"; globalThis.owned = true</script>',
  '"><img src=x onerror="globalThis.owned = true">',
  "'><svg onload=globalThis.owned=true>",
  '[click](javascript:globalThis.owned=true) | cell | `code` ``` **bold** @everyone',
  ']]> </failure></testcase> <!-- ',
  '</style></script><script>globalThis.owned = true</script>',
  '\u001b[31mred\u001b[0m \u0000 \u0007 \ufffe \u202egnp.exe',
  `# heading\n\n- list\n\n| a | b |\n|---|---|\n${'long '.repeat(2000)}`,
];

export function exchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    method: 'POST',
    url: 'http://127.0.0.1:40123/api/v1/sl/inst-1/run',
    requestHeaders: { authorization: 'Bearer ***', 'content-type': 'application/json' },
    requestBody: '{"input":{"echo":"it\'s me"}}',
    status: 200,
    responseHeaders: { 'content-type': 'application/json', date: 'Sat, 21 Nov 2026 02:57:12 GMT' },
    responseBody: '{"id":"0f3c9c1e-job","status":"IN_QUEUE"}',
    durationMs: 12.4,
    ...changes,
  };
}

const health: GeneratorHealth = {
  planned: 3203,
  sent: 3203,
  unanswered: 0,
  unansweredError: '',
  unreadable: 0,
  clockStepMs: 0.3,
  complete: true,
  latenessMs: 4.1,
};

/** A declared check with a verdict and plausible words. */
export function check(declaration: CheckDeclaration, changes: Partial<ResultCheck> = {}): ResultCheck {
  return {
    id: declaration.id,
    title: declaration.title,
    clauses: declaration.clauses,
    level: declaration.level,
    verdict: 'pass',
    expected: 'as the clause says',
    observed: 'exactly that',
    ...changes,
  };
}

/** One contract check for each operation and level, with an exchange as evidence. */
function contractChecks(): ResultCheck[] {
  return operations.flatMap((operation) => {
    const own = clauses.filter((clause) => clause.operations?.includes(operation.id) && clause.observable === true);
    return own.slice(0, 6).map((clause, index) =>
      check(
        { id: `${operation.id}.contract.c${index}`, title: clause.text, clauses: [clause.id], level: clause.level },
        {
          verdict: clause.level === 'observed' ? 'observed' : 'pass',
          expected: 'status: 200',
          observed: clause.level === 'observed' ? 'the body has the fields id, status' : 'status: 200',
          evidence: {
            expectations: [{ what: 'status', expected: '200', observed: '200', holds: true }],
            exchanges: [exchange({ method: operation.methods[0] ?? 'GET' })],
          },
        },
      ),
    );
  });
}

const broken: Readonly<Record<string, Partial<ResultCheck>>> = {
  'run.rate.enforced': {
    verdict: 'fail',
    expected: 'at most 1,000 requests admitted within any 10 s',
    observed: '2,100 requests admitted within 10 s, none refused',
    reference: {
      verdict: 'pass',
      observed: 'refused beyond 1,000',
      recorded: true,
      differences: ['run: measured no bound found, the reference 1,000 requests per 10 s'],
    },
  },
  'runsync.payload.guarantee': {
    verdict: 'fail',
    expected: 'a body of 20,000,000 bytes is accepted',
    observed: '413 from 19,000,001 bytes on; the largest body accepted had 19,000,000 bytes',
  },
  'run.payload.refusal': {
    verdict: 'warn',
    expected: 'a 413 or 400 that arrives',
    observed: 'the connection was reset while sending (ECONNRESET)',
  },
};

const open: Readonly<Record<string, Partial<ResultCheck>>> = {
  'runsync.rate.enforced': {
    verdict: 'inconclusive',
    observed: '1,420 of 2,001 requests were sent before the workers were full',
    reason: 'the endpoint runs 90 jobs/s and the probe needs 200; give the endpoint more workers or a quicker workload',
  },
  'status.concurrency.freed': {
    verdict: 'inconclusive',
    observed: 'only 372 of 400 requests were proven in flight at once',
    reason: 'the overlap was not reached; run the generator nearer to the target',
  },
  'run.queue.guarantee': {
    verdict: 'not-observable',
    reason: 'needs --dedicated: filling a queue that others use would refuse their jobs',
    missing: ['--dedicated'],
  },
  'run.queue.enforced': {
    verdict: 'not-observable',
    reason: 'needs --dedicated: filling a queue that others use would refuse their jobs',
    missing: ['--dedicated'],
  },
  'inference.concurrency.guarantee': {
    verdict: 'skipped',
    reason: 'interface A is not configured: set --base-url',
    missing: ['--base-url'],
  },
  'inference.concurrency.enforced': {
    verdict: 'skipped',
    reason: 'interface A is not configured: set --base-url',
    missing: ['--base-url'],
  },
};

function hostile(checks: readonly ResultCheck[]): ResultCheck[] {
  const verdicts: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'observed', 'error', 'not-observable'];
  return checks.slice(0, hostileTexts.length * 3).map((one, index) => {
    const text = hostileTexts[index % hostileTexts.length] ?? '';
    const verdict = verdicts[index % verdicts.length] ?? 'fail';
    const evidence = {
      expectations: [{ what: text, expected: text, observed: text, holds: false, schemaPath: text }],
      exchanges: [
        exchange({ url: `http://x/${text}`, responseHeaders: { [text]: text }, responseBody: text, requestBody: text }),
      ],
    };
    const beside = { verdict: 'pass', observed: text, differences: [text] } as const;
    const words = { title: text, expected: text, observed: text, reason: text, leftBehind: [text] };
    return { ...one, ...words, verdict, reference: beside, evidence };
  });
}

/** How a run of this kind compares with the reference; nothing differs in one that passes. */
function reference(kind: SampleKind, checks: readonly ResultCheck[]): ReferenceReport {
  const texts =
    kind === 'hostile'
      ? hostileTexts
      : ['has no `id`', 'sends no Retry-After', 'answers 404 where the reference answers 405'];
  const kinds = ['spec', 'convention', 'different'] as const;
  const differences = texts.map((text, index) => ({
    operation: operations[index]?.id ?? null,
    request: kind === 'hostile' ? text : 'POST run',
    text,
    kind: kinds[index % kinds.length] ?? 'different',
    checks: checks.slice(index, index + 5).map((one) => one.id),
  }));
  return { contract: 'asked', differences: kind === 'passing' ? [] : differences, more: 0 };
}

function limitRow(id: string, checks: readonly ResultCheck[]): ResultLimit[] {
  const limit = limits.find((one) => one.id === id);
  const own = checks.filter((one) => one.id.startsWith(`${id}.`));
  const verdict = mostSevere(own.filter((one) => one.level === 'documented').map((one) => one.verdict));
  if (!limit || !verdict) return [];
  const enforced = own.find((one) => one.id.endsWith('.enforced'))?.verdict;
  const measured = { lower: limit.value, upper: enforced === 'fail' ? null : limit.value };
  return [
    {
      id,
      kind: limit.kind,
      operations: limit.operations,
      documented: limit.kind === 'requests' ? { value: limit.value, windowMs: limit.windowMs } : { value: limit.value },
      measured: verdict === 'skipped' || verdict === 'not-observable' ? null : measured,
      ...(limit.kind === 'requests' ? { algorithm: enforced === 'fail' ? 'unknown' : 'token-bucket' } : {}),
      verdict,
      checks: own.map((one) => one.id),
      ...(verdict === 'skipped' || verdict === 'not-observable'
        ? {}
        : { health, pictures: samplePictures(limit, enforced !== 'fail') }),
    },
  ];
}

/** The checks of a run in which everything holds. */
export function passingChecks(): ResultCheck[] {
  return [
    ...contractChecks(),
    ...loadChecks.map((one) =>
      check(one, { expected: 'no refusal within the limit', observed: 'none of 1,000 requests was refused' }),
    ),
  ];
}

/** Whole results of a run of this kind. */
export function sampleResults(kind: SampleKind, changes: { strict?: boolean } = {}): Results {
  const all = passingChecks();
  const changed = all.map((one) => ({
    ...one,
    ...(kind === 'failing' ? (broken[one.id] ?? open[one.id]) : kind === 'inconclusive' ? open[one.id] : {}),
  }));
  const checks = kind === 'hostile' ? hostile(changed) : kind === 'interrupted' ? changed.slice(0, 40) : changed;
  return assemble({
    checks,
    limits: limits.flatMap((limit) => limitRow(limit.id, checks)),
    declared: kind === 'hostile' ? checks.map((one) => one.id) : all.map((one) => one.id),
    run: {
      id: '2026-11-21T025712Z-7f3a',
      startedAt: '2026-11-21T02:57:12.000Z',
      finishedAt: '2026-11-21T03:01:24.000Z',
      profile: 'gate',
      suiteVersion: '0.1.0',
      k6Version: '2.2.0',
      nodeVersion: '22.11.0',
      durationMs: 252_000,
      floorMs: 188_000,
    },
    target: {
      kind: kind === 'passing' ? 'reference' : 'remote',
      baseUrl: 'http://127.0.0.1:40123',
      jobBaseUrl: 'https://jobs.staging.example',
      endpoints: [
        { instId: 'inst-1', workersMax: 3, dedicated: true },
        { instId: 'inst-queue', workersMax: null, dedicated: false },
      ],
      model: 'acme/base-70b',
    },
    clauses,
    reference: reference(kind, checks),
    ...(kind === 'failing' ? { latency: sampleLatency, achieved: sampleAchieved, streams: sampleStreams } : {}),
    ...(kind === 'interrupted' ? { interrupted: 'Ctrl-C' } : {}),
    ...changes,
  });
}
