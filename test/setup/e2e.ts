/**
 * What the end-to-end tests need, got once before the first of them: a fresh build, a k6, a Chromium. Nothing has to
 * be prepared by hand where we are allowed to install it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provisionK6 } from '../../scripts/k6/provision.ts';
import { findChromium, installChromium } from './chromium.ts';

/** Runs for each project that needs it; the work is done for the first. */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env.VITEST_E2E_READY === '1') return undefined;
  process.env.VITEST_E2E_READY = '1';
  // Vitest's own throws when a stack is read in a global setup, and undici reads one when there is no network.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  const note = (line: string): void => void process.stdout.write(`${line}\n`);
  const k6 = await provisionK6({
    progress: { begin() {}, advance() {}, end() {}, note },
    signal: new AbortController().signal,
    env: process.env,
  });
  // The tests' processes inherit these, and don't search again.
  process.env.K6_BIN = k6.path;
  process.env.CHROMIUM_BIN = findChromium(process.env) ?? installChromium();
  // All that they leave behind is in one place, and is removed with it.
  const place = mkdtempSync(join(tmpdir(), 'proofload-tests-'));
  process.env.TMPDIR = place;
  return () => rmSync(place, { recursive: true, force: true });
}
