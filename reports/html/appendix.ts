/** How well the load generator itself worked, and with which configuration the run was made. */
import type { GeneratorHealth } from '../../schemas/facts.ts';
import type { RunSelection } from '../../schemas/results-parts.ts';
import { duration, number } from '../../schemas/thousands.ts';
import { trafficWords } from '../counts.ts';
import { type Html, html } from './html.ts';
import type { PageInput } from './parts.ts';

/** Milliseconds with one decimal where they are few: a clock step of 0.3 ms is not 0. */
const ms = (value: number): string => (Math.abs(value) < 10 ? `${Math.round(value * 10) / 10} ms` : duration(value));

const percent = (share: number | null | undefined): string =>
  typeof share === 'number' ? `${number(share * 100)} %` : '–';
const BYTES_PER_MEGABYTE = 1_000_000;
const megabytes = (bytes: number | null | undefined): string =>
  typeof bytes === 'number' ? `${number(bytes / BYTES_PER_MEGABYTE)} MB` : '–';

/** Half of the sends were no later than the first, all but one in a hundred no later than the second. */
function lateWords({ lateness, latenessMs }: GeneratorHealth): string {
  return lateness ? [lateness.p50Ms, lateness.p99Ms, lateness.maxMs].map(ms).join(' / ') : ms(latenessMs);
}

/** Rows whose times overlap ran side by side. */
function ranWords({ ran }: GeneratorHealth): string {
  const seconds = (time: number) => (time / 1000).toFixed(1);
  return ran ? `${seconds(ran.fromMs)} to ${seconds(ran.untilMs)} s` : '–';
}

/** Polls go on until something is admitted, and are in no plan. */
const sentWords = ({ sent, planned }: GeneratorHealth): string =>
  sent > planned ? `${number(sent)}, planned ${number(planned)}` : `${number(sent)} of ${number(planned)}`;

/** In the order in which they began; those of which that is not known come last. */
const byBeginning = (probes: readonly GeneratorHealth[]): GeneratorHealth[] =>
  [...probes].sort((a, b) => (a.ran?.fromMs ?? Number.MAX_VALUE) - (b.ran?.fromMs ?? Number.MAX_VALUE));

function healthRow(id: string, health: GeneratorHealth): Html {
  const { machine, dropped } = health;
  const unanswered = health.unanswered > 0 && health.unansweredError ? ` (${health.unansweredError})` : '';
  const lines = health.unreadable + (health.lost?.lines ?? 0);
  const loop = machine?.loopLagMs ?? null;
  return html`<tr><th scope="row">${id}</th><td>${ranWords(health)}</td><td>${sentWords(health)}</td>
<td>${number(health.unanswered)}${unanswered}</td><td>${number(lines)}${health.lost && ` (${health.lost.why})`}</td>
<td>${ms(health.clockStepMs)}</td><td>${lateWords(health)}</td><td>${dropped === undefined ? '–' : number(dropped)}</td>
<td>${percent(machine?.idleShare)}, ${percent(machine?.leastIdleShare)}</td><td>${loop === null ? '–' : ms(loop)}</td>
<td>${megabytes(machine?.peakBytes)}</td><td>${health.complete ? 'yes' : 'no'}</td></tr>`;
}

/** Of every probe; results of an earlier version know it of the limits only. */
function healthRows({ limits, run }: PageInput['results']): Html[] {
  if (run.generator)
    return byBeginning(run.generator.probes).map((health) => healthRow(health.probe ?? 'a probe', health));
  return limits.flatMap((limit) => (limit.health ? [healthRow(limit.id, limit.health)] : []));
}

/** How those that sent a probe together got on; false where each was sent by one process. */
function runnersWords(probes: readonly GeneratorHealth[]): string | false {
  const all = probes.flatMap(({ runners }) => runners ?? []);
  const most = (of: (one: (typeof all)[number]) => number): number => Math.max(...all.map(of));
  if (all.length === 0) return false;
  return `${number(all.length)} probes were sent by ${most(({ count }) => count)} processes together, which began at most ${duration(most(({ skewMs }) => skewMs))} apart and know one another's clocks to ${ms(most(({ errorMs }) => errorMs))}.`;
}

export function generatorSection({ results }: PageInput): Html {
  const rows = healthRows(results);
  const shortfalls = results.run.generator?.shortfalls ?? [];
  const together = runnersWords(results.run.generator?.probes ?? []);
  return html`<section id="generator" aria-labelledby="generator-title">
<h2 id="generator-title">Load generator</h2>
<p class="lead">A verdict is only as good as the load behind it. Where the generator fell short of what a claim
needs, that claim is inconclusive. Polls go on until something is admitted, in addition to the plan. Times of probes count from the beginning of the load.</p>
${together && html`<p>${together}</p>`}
${shortfalls.length > 0 && html`<ul>${shortfalls.map((what) => html`<li>${what}</li>`)}</ul>`}
${
  rows.length === 0
    ? html`<p>No load was sent in this run.</p>`
    : html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Probe</th><th scope="col">Ran</th><th scope="col">Sent</th>
<th scope="col">Unanswered</th><th scope="col">Lines lost</th><th scope="col">Clock step</th>
<th scope="col">Paced sends behind: half, 99 %, all</th><th scope="col">Left out</th>
<th scope="col">Processors left: over all, busiest second</th><th scope="col">Sender held up</th>
<th scope="col">k6 memory</th><th scope="col">Finished</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</section>`;
}

/** The selection of a run; unknown for an earlier version. */
function selectionRows(asked: RunSelection | undefined): (readonly [string, string])[] {
  if (!asked) return [];
  const parts = [asked.contract && 'contract checks', asked.load && 'load'].filter((part) => part !== false);
  const goals = Object.entries(asked.goals).map(([id, ms]) => `${id} at most ${duration(ms)}`);
  return [
    ['Included', parts.join(' and ') || 'nothing'],
    ['Selection', asked.only.length > 0 ? asked.only.join(', ') : 'every check'],
    ...(goals.length > 0 ? [['Goals', goals.join(', ')] as const] : []),
  ];
}

const orNone = (value: string | null): string => value ?? 'not configured';

export function configurationSection({ results }: PageInput): Html {
  const { target, run } = results;
  const sent = trafficWords(run.traffic);
  const rows: readonly (readonly [string, string])[] = [
    ['Target', target.kind],
    ['Base URL of interface A', orNone(target.baseUrl)],
    ['Base URL of interface B', orNone(target.jobBaseUrl)],
    ['Model', orNone(target.model)],
    ...target.endpoints.map(({ instId, workersMax, dedicated }): [string, string] => [
      `Endpoint ${instId}`,
      `${workersMax === null ? 'WorkersMax not given' : `WorkersMax ${workersMax}`}, ${dedicated ? 'dedicated' : 'shared with others'}`,
    ]),
    ...(target.otherAddress === undefined ? [] : [['Second local address', target.otherAddress] as const]),
    ['Profile', run.profile],
    ...selectionRows(run.asked),
    ['Run', run.id],
    ['Started and finished', `${run.startedAt} to ${run.finishedAt}`],
    ...(sent === null ? [] : [['Traffic', sent] as const]),
    ['Keys', 'from the environment; never written to a report'],
  ];
  return html`<section id="configuration" aria-labelledby="configuration-title">
<h2 id="configuration-title">Configuration</h2>
<div class="scroll" tabindex="0"><table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>
</section>`;
}
