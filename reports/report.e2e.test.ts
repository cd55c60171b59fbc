/** The page in a real browser: it is whole, quiet, readable on a phone, and no text in it ever runs. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { clauses } from '../schemas/clauses/index.ts';
import type { Results } from '../schemas/results.ts';
import { oneByOne } from '../test/setup/sweeps.ts';
import { laterNight } from './history/testing/fixtures.ts';
import { writeReport } from './index.ts';
import { type SampleKind, sampleResults } from './testing/fixtures.ts';

/** `later`: a night that has others before it. */
type PageKind = SampleKind | 'later';
const kinds: readonly PageKind[] = ['passing', 'failing', 'inconclusive', 'interrupted', 'hostile', 'later'];
const resultsOf = (kind: PageKind): Results => (kind === 'later' ? laterNight() : sampleResults(kind));
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
const quiet = ['--disable-component-update', '--disable-sync'];

const KEEPS = process.env.KEEP_SCREENSHOTS !== undefined;

let out = '';
let browser: Browser | undefined;
/** What pages said on their consoles, asked the network for, or threw. */
let noise: string[] = [];

beforeAll(async () => {
  const executablePath = process.env.CHROMIUM_BIN ?? installed.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('no Chromium found: install one (`apt-get install chromium`) or set CHROMIUM_BIN to its path');
  }
  out = await mkdtemp(join(tmpdir(), 'proofload-report-'));
  for (const kind of kinds) await writeReport(resultsOf(kind), join(out, kind), { secrets: [], clauses });
  browser = await chromium.launch({ executablePath, args: [...flags, ...quiet] });
});

afterEach(async () => {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  const heard = noise;
  noise = [];
  expect(heard).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  if (out !== '' && !KEEPS) await rm(out, { recursive: true, force: true });
});

async function blank(options: BrowserContextOptions = {}): Promise<Page> {
  if (!browser) throw new Error('the browser did not start');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  return context.newPage();
}

async function open(kind: PageKind, hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await blank(options);
  page.on('console', (message) => noise.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => noise.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!/^(?:file|data):/.test(request.url())) noise.push(`request: ${request.url()}`);
  });
  await page.goto(`${pathToFileURL(join(out, kind, 'report.html')).href}${hash}`);
  return page;
}

/** Kept with KEEP_SCREENSHOTS=1: one of a whole page takes longer than all other questions to it. */
async function picture(of: Pick<Page, 'screenshot'>, name: string, fullPage = false): Promise<void> {
  if (KEEPS) await of.screenshot({ path: join(out, `${name}.png`), ...(fullPage ? { fullPage } : {}) });
}

/** Also those that are folded, since there is nothing to mend in them. */
const shown = (page: Page): Promise<number> =>
  page.locator('section.operation:not([hidden]) details.check:not([hidden])').count();
const openAll = (page: Page): Promise<void> =>
  page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
const widths = (page: Page): Promise<number[]> =>
  page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]');

test.each([
  ['passing', 'Conforms', 'No documented check failed.'],
  ['failing', 'Does not conform', '2,100 requests admitted within 10 s, none refused'],
  ['inconclusive', 'Not conclusive', 'No documented check failed'],
  ['interrupted', 'Interrupted', 'Stopped early (Ctrl-C)'],
] as const)('%s: the first screen says %s', async (kind, head, words) => {
  const page = await open(kind);
  expect(await page.locator('h1').textContent()).toBe(head);
  const seen = page.getByText(words).first();
  expect(await seen.isVisible()).toBe(true);
  expect((await seen.boundingBox())?.y).toBeLessThan(900);
  await picture(page, kind, true);
});

test('landmarks, one main heading, and headings without gaps', async () => {
  const page = await open('failing');
  for (const role of ['banner', 'navigation', 'main', 'contentinfo'] as const) {
    expect(await page.getByRole(role).count()).toBe(1);
  }
  const levels = await page
    .locator('h1, h2, h3, h4')
    .evaluateAll((all) => all.map((one) => Number(one.tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  const deeper = levels.map((level, index) => level - (levels[index - 1] ?? 1));
  expect(Math.max(...deeper)).toBe(1);
  for (const table of await page.locator('table').all()) expect(await table.locator('th').count()).toBeGreaterThan(0);
});

test('filters by verdict, level and text work together and can be undone', async () => {
  const page = await open('failing');
  const { counts, checks } = sampleResults('failing');
  expect(await shown(page)).toBe(counts.emitted);
  for (const box of await page.locator('#filters input[type=checkbox]').all()) {
    if ((await box.getAttribute('value')) !== 'fail') await box.uncheck();
  }
  expect(await shown(page)).toBe(counts.fail);
  expect(await page.locator('#shown').textContent()).toBe(`2 of ${counts.emitted} shown`);
  expect(await page.locator('section.operation:visible').count()).toBe(2);
  await page.getByLabel('Text').fill('runsync 413');
  expect(await shown(page)).toBe(1);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction('document.querySelectorAll("details.check[hidden]").length === 0');
  await page.getByLabel('Level').selectOption('convention');
  expect(await shown(page)).toBe(checks.filter((check) => check.level === 'convention').length);
});

test('what passed is folded, until it is filtered for or linked to', async () => {
  const page = await open('failing');
  const { checks } = sampleResults('failing');
  const visible = (): Promise<number> => page.locator('details.check:visible').count();
  const quiet = checks.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').length;
  expect(quiet).toBeGreaterThan(100);
  expect(await visible()).toBe(checks.length - quiet);
  await page.getByLabel('Level').selectOption('convention');
  expect(await visible()).toBe(checks.filter(({ level }) => level === 'convention').length);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction('document.querySelectorAll("details.quiet[open]").length === 0');
  await page.getByRole('button', { name: 'Open or close all' }).click();
  expect(await visible()).toBe(checks.length);
});

test('the filter stands in the address, and is restored from it', async () => {
  const page = await open('later');
  const { checks } = laterNight();
  for (const box of await page.locator('#filters input[type=checkbox]').all()) {
    if (!['fail', 'warn'].includes((await box.getAttribute('value')) ?? '')) await box.uncheck();
  }
  await page.locator('#filters').getByLabel('Last run').selectOption('broken');
  await page.getByLabel('Text').fill('payload');
  const seen = await shown(page);
  expect(seen).toBe(2);
  const address = new URL(page.url());
  expect(address.search).toBe('?verdict=fail&verdict=warn&change=broken&text=payload');
  const again = await open('later', address.search);
  expect(await shown(again)).toBe(seen);
  expect(await again.getByLabel('Text').inputValue()).toBe('payload');
  await again.getByRole('button', { name: 'Show all' }).click();
  await again.waitForFunction('location.search === ""');
  expect(await shown(again)).toBe(checks.length);
});

test('no verdict at all stands in the address too, and an unavailable one is ignored', async () => {
  const page = await open('failing');
  for (const box of await page.locator('#filters input[type=checkbox]').all()) await box.uncheck();
  expect(await shown(page)).toBe(0);
  expect(await shown(await open('failing', new URL(page.url()).search))).toBe(0);
  const odd = await open('failing', '?level=nonsense&verdict=fail&text=%3Cscript%3E&what=ever');
  expect(await odd.getByLabel('Level').inputValue()).toBe('');
  expect(await odd.getByLabel('Text').inputValue()).toBe('<script>');
});

test('a link to a check wins over a filter in the address', async () => {
  const page = await open('failing', '?verdict=warn#check-run.contract.c0');
  expect(await page.locator('[id="check-run.contract.c0"]').getAttribute('open')).toBe('');
  expect(await page.locator('[id="check-run.contract.c0"]').isVisible()).toBe(true);
  expect(new URL(page.url()).search).toBe('');
});

const onPhone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const ways = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, 'on a phone': onPhone } as const;
const waysOf = (kind: PageKind) => (['light', 'dark', 'on a phone'] as const).map((way) => [kind, way] as const);

/** What fails has most on its page. */
const others = kinds.filter((kind) => kind !== 'failing');
const looked = [...oneByOne(waysOf('failing')), ...oneByOne(others.flatMap(waysOf))];

test.each(looked)('%s, %s: axe finds nothing that keeps people from reading it', async (kind, way) => {
  const page = await open(kind, '', ways[way]);
  await openAll(page);
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(`axe
      .run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200)]))`);
  expect(found).toEqual([]);
});

test('checks that differ from the reference can be picked, and a difference leads to its checks', async () => {
  const page = await open('failing', '#differences');
  await page.locator('#filters').getByLabel('Reference').selectOption('differs');
  expect(await shown(page)).toBe(
    sampleResults('failing').checks.filter((check) => check.reference?.differences).length,
  );
  await page.locator('#differences a').first().click();
  const check = page.locator('details.check[open]:target');
  await check.waitFor({ state: 'visible' });
  expect(await page.locator('#shown').textContent()).toMatch(/^all /);
});

test('a link to a check opens it, also when a filter hid it', async () => {
  const page = await open('failing', '#check-run.contract.c0');
  const check = page.locator('[id="check-run.contract.c0"]');
  expect(await check.getAttribute('open')).toBe('');
  await page.getByLabel('Text').fill('nothing matches this');
  expect(await shown(page)).toBe(0);
  await page.locator('.findings a').first().click();
  await page.locator('[id="check-run.rate.enforced"]').waitFor({ state: 'visible' });
  expect(await page.locator('[id="check-run.rate.enforced"]').getAttribute('open')).toBe('');
});

test('all listed checks open and close together', async () => {
  const page = await open('failing');
  const opened = (): Promise<number> => page.locator('details.check[open]').count();
  await page.getByLabel('Text').fill('purge-queue.rate');
  const [before, listed] = [await opened(), await shown(page)];
  await page.getByRole('button', { name: 'Open or close all' }).click();
  expect(await opened()).toBe(before + listed);
  await page.getByRole('button', { name: 'Open or close all' }).click();
  expect(await opened()).toBe(before);
});

test.each(oneByOne(['#check-no.such.check', '#%E0%A4%A', '#"><script>', '#limits']))(
  'an address that ends in %s does no harm',
  async (hash) => {
    const page = await open('failing', hash);
    expect(await shown(page)).toBe(sampleResults('failing').counts.emitted);
  },
);

test('what changed since the last comparable run leads to its checks, and every series has words for its picture', async () => {
  const page = await open('later');
  expect(await page.locator('.since').textContent()).toMatch(/^Since 2026-09-24 03:00 UTC: 2 newly broken/);
  expect(await page.locator('.findings .fresh').count()).toBe(2);
  await page.locator('.since a').click();
  const trend = page.locator('#trend');
  expect(await trend.getByText('Compared with 24 earlier runs with the same parameters').isVisible()).toBe(true);
  for (const picture of await trend.locator('svg').all())
    expect(await picture.getAttribute('aria-label')).toMatch(/^\S+: .+/);
  expect(await trend.getByText(/^p95 .* since 2026-09-13 03:00 UTC/).count()).toBe(1);
  await picture(trend, 'trend');
  await trend.getByRole('link', { name: 'run.rate.enforced' }).first().click();
  await page.locator('[id="check-run.rate.enforced"][open]').waitFor({ state: 'visible' });
});

test('the keyboard reaches the checks and opens them', async () => {
  const page = await open('passing');
  await page.locator('details.quiet:has([id="check-run.rate.guarantee"]) > summary').focus();
  await page.keyboard.press('Enter');
  const summary = page.locator('[id="check-run.rate.guarantee"] > summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('[id="check-run.rate.guarantee"]').getAttribute('open')).toBe('');
});

test('without scripts the page is whole and offers no dead filters', async () => {
  const page = await open('failing', '', { javaScriptEnabled: false });
  expect(await page.locator('details.check').count()).toBe(sampleResults('failing').counts.emitted);
  expect(await page.locator('#filters').isVisible()).toBe(false);
  expect(await page.getByText('2,100 requests admitted within 10 s, none refused').first().isVisible()).toBe(true);
});

test('text from a hostile target is shown and never runs', async () => {
  const page = await open('hostile');
  await openAll(page);
  expect(await page.evaluate('globalThis.owned')).toBeUndefined();
  expect(await page.title()).toMatch(/^Does not conform/);
  expect(await page.locator('main script, main img, main svg[onload], main a[href^="javascript"]').count()).toBe(0);
  for (const place of ['#contract', '#differences']) {
    const text = page.locator(place).getByText('<script>document.title = "owned"').first();
    expect(await text.isVisible()).toBe(true);
  }
  await picture(page, 'hostile');
});

test('the policy would stop a script even if escaping failed', async () => {
  const page = await open('passing');
  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'globalThis.owned = true';
    document.body.append(script);
  }`);
  expect(await page.evaluate('globalThis.owned')).toBeUndefined();
  expect(noise.every((line) => line.includes('Content Security Policy'))).toBe(true);
  expect(noise.length).toBeGreaterThan(0);
  noise = [];
});

test.each(['failing', ...oneByOne(others)] as const)('%s: nothing scrolls sideways on a phone', async (kind) => {
  const page = await open(kind, '', onPhone);
  const [content = 0, width = 0] = await widths(page);
  expect(width).toBe(360);
  expect(content).toBeLessThanOrEqual(width);
  await openAll(page);
  expect((await widths(page))[0]).toBeLessThanOrEqual(width);
  await picture(page, `${kind}-phone`);
});

test('dark where the reader wants it dark, and light on paper', async () => {
  const page = await open('failing', '', { colorScheme: 'dark' });
  const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await ground()).toBe('rgb(21, 24, 27)');
  await picture(page, 'failing-dark');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--ink")')).toBe('#1d2126');
  expect(await page.locator('.contents').isVisible()).toBe(false);
});

test.each(kinds)('%s: an XML parser reads junit.xml and counts what failed', async (kind) => {
  const page = await blank();
  const xml = await readFile(join(out, kind, 'junit.xml'), 'utf8');
  const read = await page.evaluate((text) => {
    const parser: unknown = Reflect.construct(Reflect.get(globalThis, 'DOMParser'), []);
    const tree = (parser as { parseFromString(text: string, type: string): ParsedXml }).parseFromString(
      text,
      'text/xml',
    );
    const count = (name: string) => tree.getElementsByTagName(name).length;
    return ['parsererror', 'failure', 'testcase'].map(count);
  }, xml);
  const { counts, complete } = resultsOf(kind);
  expect(read).toEqual([0, counts.fail, counts.emitted + (complete ? 0 : 1)]);
});

/** The little of the browser's document that the test uses; the project is compiled without the DOM's types. */
interface ParsedXml {
  getElementsByTagName(name: string): { readonly length: number };
}
