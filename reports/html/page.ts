/**
 * report.html: one file that opens anywhere, offline, and sends no requests. Its content security policy allows the one
 * style sheet and the one script by their hashes and nothing else; so even a slip in escaping could neither run nor
 * load anything.
 */
import { createHash } from 'node:crypto';
import type { Clause } from '../../schemas/clauses/clause.ts';
import type { ResultCheck, Results } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { headline, openQuestions } from '../findings.ts';
import { cut } from '../text.ts';
import { instant, levelWords, targetName } from '../words.ts';
import { configurationSection, generatorSection } from './appendix.ts';
import { contractSection } from './contract.ts';
import { differencesSection } from './differences.ts';
import { evidencePlan } from './evidence.ts';
import { type Html, html, trusted } from './html.ts';
import { hasLatency, latencySection } from './latency.ts';
import { limitsSection } from './limits.ts';
import { badge, checkLink, isQuiet, MOST_CHARACTERS, type PageInput } from './parts.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { hasHistory, trendSection } from './trend.ts';
import { verdictSection } from './verdict.ts';

/** A few checks are named at once; many are folded. */
const MOST_NAMED = 3;

function concerned(input: PageInput, checks: readonly ResultCheck[]): Html {
  const list = html`<ul class="plain small">${checks.map((check) => html`<li>${checkLink(input, check.id)}</li>`)}</ul>`;
  if (checks.length <= MOST_NAMED) return list;
  return html`<details><summary>${plural(checks.length, 'check')}</summary>${list}</details>`;
}

/** Checks that never reported have no row of their own. */
function unreported({ counts, run }: Results): Html | false {
  const missing = counts.declared - counts.emitted;
  if (missing <= 0) return false;
  return html`<p>${number(missing)} of ${plural(counts.declared, 'check')} did not report, as this run is not whole (${cut(run.interrupted ?? 'no reason given', MOST_CHARACTERS)}). A run that comes to its end decides them.</p>`;
}

export function openSection(input: PageInput): Html {
  const groups = openQuestions(input.results);
  const missing = unreported(input.results);
  const rows = groups.map(
    ({ verdict, reason, checks }) => html`<tr><td>${badge(verdict)}</td><td>${cut(reason, MOST_CHARACTERS)}</td>
<td>${concerned(input, checks)}</td></tr>`,
  );
  return html`<section id="open" aria-labelledby="open-title">
<h2 id="open-title">Undecided</h2>
<p class="lead">Checks without a verdict in this run, with the reason and, where there is one, the remedy.</p>
${missing}
${
  groups.length === 0
    ? missing === false && html`<p>Every check of this run was decided.</p>`
    : html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Reason and remedy</th>
<th scope="col">Concerns</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</section>`;
}

/** Clause by clause: which promise of the specification was tested by which checks, and which by none. */
export function coverageSection(input: PageInput): Html {
  const { results, clauses } = input;
  const { coverage } = results;
  const verdictOf = new Map<string, Verdict>(results.checks.map((check) => [check.id, check.verdict]));
  const rows = Object.entries(coverage.byClause).map(([id, checks]) => {
    const clause = clauses.get(id);
    const why =
      clause && clause.observable !== true ? `not observable: needs ${clause.observable.needs}` : 'not checked';
    const quiet = checks.filter((check) => {
      const verdict = verdictOf.get(check);
      return verdict !== undefined && isQuiet({ verdict });
    });
    const links = checks
      .filter((check) => !quiet.includes(check))
      .map((check) => {
        const verdict = verdictOf.get(check);
        return html`<li>${verdict && badge(verdict)} ${checkLink(input, check)}</li>`;
      });
    const filter = `verdict=pass&verdict=observed&text=${encodeURIComponent(id)}`;
    const all = html`<li><a href="?${filter}#contract">${plural(quiet.length, 'check')}</a> passed or recorded</li>`;
    return html`<tr><td>${clause?.section ?? ''}</td><th scope="row">${clause?.text ?? id}<br><code class="muted">${id}</code></th>
<td>${clause ? levelWords[clause.level] : ''}</td>
<td>${checks.length > 0 ? html`<ul class="plain small">${quiet.length > 0 && all}${links}</ul>` : html`<span class="muted">${why}</span>`}</td></tr>`;
  });
  return html`<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage of the specification</h2>
<p class="lead">${number(coverage.checked)} of ${number(coverage.observable)} clauses that can be observed from outside were
checked in this run; the specification has ${number(coverage.clauses)} in all.</p>
${
  rows.length > 0 &&
  html`<details><summary>Every clause</summary><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Section</th>
<th scope="col">Clause</th><th scope="col">Level</th><th scope="col">Checks</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
}
</section>`;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const contents: readonly (readonly [string, string])[] = [
  ['verdict', 'Verdict'],
  ['open', 'Undecided'],
  ['limits', 'Limits'],
  ['latency', 'Latency'],
  ['trend', 'Trend'],
  ['contract', 'Contract'],
  ['differences', 'Reference'],
  ['coverage', 'Coverage'],
  ['generator', 'Load generator'],
  ['configuration', 'Configuration'],
];

/** Sections that a page may lack; every other one is always there. */
const optional: Readonly<Record<string, (results: Results) => boolean>> = {
  differences: ({ reference }) => reference !== undefined,
  latency: hasLatency,
  trend: hasHistory,
};

const present = (id: string, results: Results): boolean => optional[id]?.(results) ?? true;

/** The whole page. */
export function renderPage(results: Results, clauses: readonly Clause[]): string {
  const input: PageInput = {
    results,
    clauses: new Map(clauses.map((clause) => [clause.id, clause])),
    checkIds: new Set(results.checks.map((check) => check.id)),
    evidence: evidencePlan(results.checks),
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${headline(results)}: ${targetName(results.target)}, proofload ${results.run.id}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
<div class="sheet">
<header>
<div class="masthead"><p class="mark">proofload</p><p class="muted">API verification report</p>
<p class="run">${instant(results.run.startedAt)}, run ${results.run.id}</p></div>
<nav class="contents" aria-label="Contents"><ul>${contents
    .filter(([id]) => present(id, results))
    .map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>
<main>
${verdictSection(input)}
${openSection(input)}
${limitsSection(input)}
${latencySection(input)}
${trendSection(input)}
${contractSection(input)}
${differencesSection(input)}
${coverageSection(input)}
${generatorSection(input)}
${configurationSection(input)}
</main>
<footer><p>Made by proofload ${results.run.suiteVersion} from results.json in the same directory, which holds all evidence.
Times in UTC. Signs: ✓ pass, ✕ fail, ! warning, • observed, ? inconclusive, ∅ not observable, – skipped, ‼ harness error,
≈ known.</p></footer>
</div>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.text;
}
