/** The command that repeats only the probes, or the requests, of one check, and what they took in this run. */
import { loadChecks } from '../schemas/load-checks.ts';
import type { ResultCheck, Results } from '../schemas/results.ts';
import { duration, plural } from '../schemas/thousands.ts';
import { shellQuoted } from './curl.ts';

export interface Repeat {
  readonly command: string;
  /** `57 s, 4,313 requests`: what its probes took in this run; absent where that is not known. */
  readonly cost?: string;
}

const limitOf = (id: string, { limits }: Pick<Results, 'limits'>) => limits.find((one) => id.startsWith(`${one.id}.`));

export function repeatOf({ id }: Pick<ResultCheck, 'id'>, results: Results): Repeat {
  const limit = limitOf(id, results);
  const isLoad = limit !== undefined || loadChecks.some((one) => one.id === id) || id.startsWith('goal.');
  const cost = isLoad ? costOf(limit?.id ?? id, results) : undefined;
  const { target, run } = results;
  const words = [
    ...['npx proofload', isLoad ? 'load' : 'conformance', '--only', shellQuoted(id)],
    ...(run.config === undefined ? [] : ['--config', shellQuoted(run.config)]),
    ...targetWords(target),
    ...(run.profile === 'gate' ? [] : ['--profile', run.profile]),
  ];
  return { command: words.join(' '), ...(cost === undefined ? {} : { cost }) };
}

/** Probes are named by the limit that they are about, and how. */
function costOf(id: string, { run }: Results): string | undefined {
  const own = (run.generator?.probes ?? []).filter(({ probe }) => probe === id || probe?.startsWith(`${id}.`));
  const [took, sent] = own.reduce(
    ([ms, count], one) => [Math.max(ms, (one.ran?.untilMs ?? 0) - (one.ran?.fromMs ?? 0)), count + one.sent],
    [0, 0],
  );
  return took > 0 ? `${duration(took)}, ${plural(sent, 'request')}` : undefined;
}

const areAlike = ([first, ...others]: Results['target']['endpoints']): boolean =>
  others.every(({ workersMax, dedicated }) => workersMax === first?.workersMax && dedicated === first.dedicated);

function targetWords({ kind, baseUrl, jobBaseUrl, endpoints, model, otherAddress }: Results['target']): string[] {
  if (kind === 'reference') return ['--reference'];
  // Only a configuration file can say that.
  if (!areAlike(endpoints)) return [];
  const [first] = endpoints;
  return [
    ...(baseUrl === null ? [] : ['--base-url', shellQuoted(baseUrl)]),
    ...(jobBaseUrl === null ? [] : ['--job-base-url', shellQuoted(jobBaseUrl)]),
    ...endpoints.flatMap(({ instId }) => ['--inst-id', shellQuoted(instId)]),
    ...(first?.workersMax == null ? [] : ['--workers-max', `${first.workersMax}`]),
    ...(first?.dedicated ? ['--dedicated'] : []),
    ...(model ? ['--model', shellQuoted(model)] : []),
    ...(otherAddress === undefined ? [] : ['--other-address', otherAddress]),
  ];
}
