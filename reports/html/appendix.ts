/** How well the load generator itself worked, and with which configuration the run was made. */
import type { GeneratorHealth } from '../../schemas/facts.ts';
import { trafficWords } from '../traffic.ts';
import { duration, number } from '../words.ts';
import { type Html, html } from './html.ts';
import type { PageInput } from './parts.ts';

/** Milliseconds with one decimal where they are few: a clock step of 0.3 ms is not 0. */
const ms = (value: number): string => (Math.abs(value) < 10 ? `${Math.round(value * 10) / 10} ms` : duration(value));

function healthRow(id: string, health: GeneratorHealth): Html {
  const unanswered = health.unanswered > 0 && health.unansweredError ? ` (${health.unansweredError})` : '';
  return html`<tr><th scope="row">${id}</th><td>${number(health.sent)} of ${number(health.planned)}</td>
<td>${number(health.unanswered)}${unanswered}</td><td>${number(health.unreadable)}</td><td>${ms(health.clockStepMs)}</td>
<td>${ms(health.latenessMs)}</td><td>${health.complete ? 'yes' : 'no'}</td></tr>`;
}

export function generatorSection({ results }: PageInput): Html {
  const rows = results.limits.flatMap((limit) => (limit.health ? [healthRow(limit.id, limit.health)] : []));
  return html`<section id="generator" aria-labelledby="generator-title">
<h2 id="generator-title">The load generator</h2>
<p class="lead">A verdict is only as good as the load behind it. Where the generator fell short, the limit above is
inconclusive.</p>
${
  rows.length === 0
    ? html`<p>No load was sent in this run.</p>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">Limit</th><th scope="col">Sent</th>
<th scope="col">Unanswered</th><th scope="col">Unreadable</th><th scope="col">Clock step</th><th scope="col">Latest send behind</th>
<th scope="col">Finished</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</section>`;
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
      `${workersMax === null ? 'WorkersMax not told' : `WorkersMax ${workersMax}`}, ${dedicated ? 'dedicated' : 'shared with others'}`,
    ]),
    ['Profile', run.profile],
    ['Run', run.id],
    ['Started and finished', `${run.startedAt} to ${run.finishedAt}`],
    ...(sent === null ? [] : [['Traffic', sent] as const]),
    ['Keys', 'from the environment; never written to a report'],
  ];
  return html`<section id="configuration" aria-labelledby="configuration-title">
<h2 id="configuration-title">Configuration</h2>
<div class="scroll"><table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>
</section>`;
}
