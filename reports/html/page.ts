/**
 * report.html: one file that opens anywhere, offline, and asks nobody for anything. Its content security policy lets
 * in the one style sheet and the one script by their hashes and nothing else; so even a slip in escaping could neither
 * run nor load anything.
 */

import { createHash } from 'node:crypto';
import type { Clause } from '../../schemas/clauses/clause.ts';
import type { Results } from '../../schemas/results.ts';
import { headline } from '../findings.ts';
import { instant, targetName } from '../words.ts';
import { configurationSection, generatorSection } from './appendix.ts';
import { contractSection } from './contract.ts';
import { coverageSection } from './coverage.ts';
import { differencesSection } from './differences.ts';
import { evidencePlan } from './evidence-plan.ts';
import { html, trusted } from './html.ts';
import { hasLatency, latencySection } from './latency.ts';
import { limitsSection } from './limits.ts';
import { openSection } from './open-questions.ts';
import type { PageInput } from './parts.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { hasHistory, trendSection } from './trend.ts';
import { verdictSection } from './verdict.ts';

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
