/**
 * The page's style sheet: system fonts, one column of text, restrained colour. It stands in the page itself, allowed
 * by its hash, so that the report works offline and from any file share.
 */
import { verdicts } from '../../schemas/verdicts.ts';
import { levelWords, verdictWords } from '../words.ts';
import { dark, declarations, light } from './tokens.ts';

const colours = `
:root { color-scheme: light dark; ${declarations(light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${declarations(dark)} } }
${verdicts.map((verdict) => `.v-${verdict} { --tone: var(--${verdict}); --sign: "${verdictWords[verdict].sign}"; }`).join('\n')}
`;

const text = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
h1, h2, h3 {
  font-family: Charter, "Iowan Old Style", "Palatino Linotype", Georgia, "Liberation Serif", serif;
  font-weight: 600; line-height: 1.2; text-wrap: balance;
}
h2 { font-size: 1.6rem; margin: 0 0 .3rem; }
h3 { font-size: 1.15rem; margin: 0; }
h4 { font-size: .95rem; margin: 0 0 .3rem; }
p { margin: 0 0 .75rem; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
pre {
  margin: .25rem 0 .75rem; padding: .7rem .85rem; background: var(--paper); border: 1px solid var(--rule);
  border-radius: 4px; white-space: pre-wrap; max-height: 24rem; overflow: auto;
}
dd, p, li, h3, h4, td, code, pre, summary { overflow-wrap: anywhere; }
.scroll td, .scroll td code { overflow-wrap: break-word; }
#open td:last-child { min-width: 18rem; }
dl { margin: 0; }
dt { color: var(--muted); font-size: .82rem; }
dd { margin: 0 0 .55rem; }
ul { margin: 0; padding: 0; list-style: none; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; color: var(--muted); font-weight: 500; font-size: .82rem; vertical-align: bottom; }
th, td { padding: .6rem .9rem .6rem 0; border-bottom: 1px solid var(--rule); }
td { vertical-align: top; }
tbody th { vertical-align: top; color: inherit; font-size: inherit; }
.muted { color: var(--muted); }
.small { font-size: .88rem; }
.skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; left: 1rem; top: 1rem; background: var(--card); padding: .5rem; }
td > details > summary { white-space: nowrap; cursor: pointer; }
`;

const frame = `
.sheet { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem 4rem; }
.masthead { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; align-items: baseline; padding: 1.4rem 0 .8rem;
  border-bottom: 3px double var(--rule); }
.masthead p { margin: 0; }
.masthead .mark { font: 600 1.05rem Charter, "Iowan Old Style", Georgia, "Liberation Serif", serif; }
.masthead .run { margin-left: auto; color: var(--muted); font-size: .88rem; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.contents ul { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; padding: .7rem 0; font-size: .9rem; }
main > section { padding: 2.4rem 0 0; }
main > section > .lead { color: var(--muted); max-width: 46rem; margin-bottom: 1.2rem; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 3px double var(--rule); color: var(--muted); font-size: .85rem; }
/* The position keeps text for screen readers, placed absolutely, from widening the page. */
.scroll { overflow-x: auto; position: relative; }
`;

const parts = `
.badge { display: inline-flex; align-items: center; gap: .4em; padding: .08em .6em .08em .45em; border-radius: 1em;
  border: 1px solid color-mix(in srgb, var(--tone) 45%, transparent); color: var(--tone); font-size: .82rem;
  font-weight: 600; white-space: nowrap; background: color-mix(in srgb, var(--tone) 6%, transparent); }
.badge::before { content: var(--sign); content: var(--sign) / ""; font-weight: 700; min-width: .8em; text-align: center; }
.check > summary::after { color: var(--muted); font-size: .82rem; white-space: nowrap; }
${Object.entries(levelWords)
  .map(([level, word]) => `.check[data-level=${level}] > summary::after { content: "${word}"; }`)
  .join('\n')}
.verdict { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .2rem 1.6rem; align-items: start; }
.seal { display: grid; place-items: center; width: 4.6rem; height: 4.6rem; border-radius: 50%; font-size: 2.1rem;
  font-weight: 700; color: var(--tone); border: 2px solid var(--tone);
  box-shadow: inset 0 0 0 4px var(--paper), inset 0 0 0 5px var(--tone); }
.verdict h1 { font-size: clamp(2rem, 6vw, 3.1rem); line-height: 1.05; margin: .1em 0 0; color: var(--tone); letter-spacing: -.01em; }
.verdict .sentence { font-size: 1.13rem; margin: .6rem 0 0; max-width: 46rem; }
.tally { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem 1.7rem; margin: 1.6rem 0 2rem; padding: .85rem 0;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
.tally li { display: flex; gap: .45em; align-items: baseline; color: var(--tone); }
.tally b { font-size: 1.25rem; }
.tally a { color: inherit; }
.tally li.none { color: var(--muted); }
.since { margin: -1rem 0 1.6rem; font-size: .95rem; }
.fresh { margin-left: .4rem; padding: .05rem .45rem; border: 1px solid var(--tone); border-radius: 1em; color: var(--tone);
  font: 600 .75rem system-ui, sans-serif; vertical-align: middle; }
.first { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 2.5rem; }
.first > div > h2 { font-size: 1.25rem; margin-bottom: .7rem; }
.first > div > * + h2 { margin-top: 1.9rem; }
.glance { columns: 13.5rem; column-gap: 1.5rem; font-size: .92rem; }
.glance li { display: flex; gap: .55em; break-inside: avoid; padding: .14rem 0; color: var(--muted); }
.glance .sign { color: var(--tone); font-weight: 700; min-width: .9em; text-align: center; }
.findings > li { background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--tone);
  border-radius: 4px; padding: .9rem 1.1rem .5rem; margin-bottom: .8rem; }
.findings .clause { color: var(--muted); font-size: .9rem; margin: .15rem 0 .6rem; }
.pair { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .1rem .8rem; }
.pair dt { padding-top: .12rem; }
.plain > li { margin-bottom: .35rem; }
.plain .badge { margin-right: .35rem; }
.facts { border-left: 1px solid var(--rule); padding-left: 1.5rem; font-size: .92rem; }
`;

const limits = `
.limits td, .limits tbody th { padding: 1rem 1.1rem 1rem 0; }
.limits tbody th { white-space: nowrap; }
.limits .name { display: inline-block; font-weight: 600; white-space: pre-line; }
.limits td[data-label=Measured] { min-width: 9rem; }
.limits .col-picture { width: 19rem; padding-right: 0; }
.limits .why { margin: .45rem 0 0; font-size: .88rem; max-width: 24rem; }
.limits .aspects { display: flex; flex-wrap: wrap; gap: .1rem .8rem; margin-top: .4rem; font-size: .84rem; }
.latency .figure { text-align: right; white-space: nowrap; }
.latency th:not([scope=row]) { white-space: nowrap; }
.latency .name { font-weight: 600; }
.latency .col-picture { width: 15rem; min-width: 12rem; padding-right: 0; }
.latency thead th:not(:first-child, :last-child) { text-align: right; }
.latency .picture .at { stroke: currentColor; }
#latency h3, #trend h3 { margin: 1.6rem 0 .3rem; }
figure { margin: 0 0 .4rem; }
figcaption { color: var(--muted); font-size: .78rem; line-height: 1.35; }
svg.picture { display: block; width: 100%; max-width: 19rem; height: auto; overflow: visible; }
.picture text { font: 9.5px system-ui, "Liberation Sans", sans-serif; fill: var(--muted); }
.picture .axis { stroke: var(--rule); fill: none; }
.picture .turn { stroke: var(--warn); stroke-dasharray: 2 2; }
.trend .name { font-weight: 600; }
.trend .col-picture { width: 19rem; min-width: 12rem; padding-right: 0; }
.trend .picture .at { stroke: currentColor; stroke-width: 4.5; }
.picture .border { stroke: var(--ink); stroke-dasharray: 4 3; fill: none; }
.picture .line { stroke: var(--observed); stroke-width: 1.5; fill: none; stroke-linejoin: round; }
.picture .hill { fill: var(--observed); opacity: .4; stroke: none; }
.picture .area { fill: var(--observed); opacity: .16; stroke: none; }
.picture .refused { fill: var(--fail); stroke: none; }
.picture .cross { stroke: var(--fail); stroke-width: 1.6; fill: none; }
.picture .dot { stroke: var(--pass); stroke-width: 6; stroke-linecap: round; fill: none; }
.picture .either { fill: var(--rule); opacity: .55; }
`;

const contract = `
.filters { display: flex; flex-wrap: wrap; gap: .8rem 1.6rem; align-items: end; padding: .9rem 1.1rem; margin-bottom: 1.4rem;
  background: var(--card); border: 1px solid var(--rule); border-radius: 4px; font-size: .9rem; }
.filters[hidden] { display: none; }
.filters fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; flex-basis: 100%; }
.filters legend { color: var(--muted); font-size: .82rem; padding: 0; margin-bottom: .2rem; }
.filters label.field { display: grid; gap: .15rem; color: var(--muted); font-size: .82rem; }
.filters input[type=search], .filters select, .filters button { font: inherit; color: var(--ink); background: var(--paper);
  border: 1px solid var(--muted); border-radius: 4px; padding: .35rem .6rem; min-width: 0; max-width: 100%; }
.filters output { margin-left: auto; color: var(--muted); }
.operation { margin-bottom: 1.8rem; }
.operation > header { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: baseline; padding-bottom: .4rem;
  border-bottom: 1px solid var(--rule); }
.operation > header .counts { margin-left: auto; }
.check { border-bottom: 1px solid var(--rule); }
.check > summary { display: grid; grid-template-columns: 9.2rem minmax(0, 1fr) auto; gap: .1rem 1rem; align-items: baseline;
  padding: .5rem .6rem; cursor: pointer; list-style: none; }
.check > summary::-webkit-details-marker { display: none; }
.check > summary:hover { background: var(--card); }
.check > summary code { display: block; color: var(--muted); font-size: .78rem; }
.check:target { box-shadow: inset 3px 0 0 var(--link); }
.check .body { padding: .4rem .6rem 1rem 10.8rem; font-size: .93rem; }
.quiet > summary { cursor: pointer; padding: .5rem 0; color: var(--muted); }
.check .body > details { margin-top: .5rem; }
.check .body > details > summary, .exchange > summary { cursor: pointer; }
.clauses { margin: .3rem 0 .6rem; padding-left: .9rem; border-left: 2px solid var(--rule); }
.clauses li { margin-bottom: .3rem; }
.exchange { margin: .5rem 0 .5rem .9rem; }
.beside { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1rem; margin-top: .6rem; }
.beside pre { font-size: .8rem; }
.v-warn > b:first-child { color: var(--tone); }
.differing { margin-bottom: 1.6rem; }
.differing > h3 { padding-bottom: .4rem; border-bottom: 1px solid var(--rule); }
.differing > h3 .small { font: .88rem system-ui, sans-serif; }
.difference { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); gap: .1rem 1rem; align-items: baseline;
  padding: .45rem 0; border-bottom: 1px solid var(--rule); font-size: .95rem; }
.difference > .badge, .check > summary > .badge { justify-self: start; }
`;

const narrow = `
@media (max-width: 60rem) {
  .first { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
  .facts { border-left: 0; padding-left: 0; border-top: 1px solid var(--rule); padding-top: 1.2rem;
    display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0 1.5rem; }
  .facts h2 { grid-column: 1 / -1; }
  .limits thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .limits table, .limits tbody, .limits tr, .limits td, .limits tbody th { display: block; width: auto; }
  .limits tr { padding: 1rem 0; border-bottom: 1px solid var(--rule); }
  .limits td, .limits tbody th { padding: .15rem 0; border: 0; }
  .limits .name { white-space: normal; }
  .limits td[data-label]::before { content: attr(data-label); display: block; color: var(--muted); font-size: .8rem; }
}
@media (max-width: 40rem) {
  .sheet { padding: 0 1rem 3rem; }
  .masthead .run { margin-left: 0; }
  .seal { width: 3.4rem; height: 3.4rem; font-size: 1.5rem; }
  .verdict { gap: .2rem .9rem; }
  .check > summary { grid-template-columns: minmax(0, 1fr) auto; }
  .check > summary > .what { grid-column: 1 / -1; grid-row: 2; }
  .check .body { padding-left: .6rem; }
  .beside, .difference { grid-template-columns: minmax(0, 1fr); }
  .operation > header .counts { margin-left: 0; }
  .filters output { margin-left: 0; }
  .trend thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.trend, .trend tbody, .trend tr, .trend td, .trend tbody th { display: block; width: auto; border: 0; }
  .trend tr { padding: .6rem 0; border-bottom: 1px solid var(--rule); }
  .trend td, .trend tbody th { padding: .1rem 0; }
}
`;

const print = `
@media print {
  body { background: none; font-size: 10pt; }
  .contents, .filters, .skip { display: none; }
  .findings > li, .limits tr, .check > summary { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  pre { max-height: none; }
  .scroll { overflow: visible; }
  .scroll table { font-size: 7.5pt; }
  .scroll th, .scroll td { padding-right: .5rem; }
}
`;

export const style = [colours, text, frame, parts, limits, contract, narrow, print].join('');
