/** What somebody new does first: a configuration, a look at whether all is fit for a run, a page in a browser. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';

test('init writes a configuration once, and a doctor reads it', async () => {
  const cwd = temporaryDirectory();
  const written = await cli(['init'], { cwd, env: {} });
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(cwd, 'proofload.schema.json'))).toBe(true);
  const before = readFileSync(join(cwd, 'proofload.yaml'), 'utf8');
  expect(await cli(['init'], { cwd, env: {} })).toMatchObject({ code: 2 });
  expect(readFileSync(join(cwd, 'proofload.yaml'), 'utf8')).toBe(before);
  const observed = await cli(['doctor', '--config', 'proofload.yaml'], { cwd, env: {} });
  expect(observed.code).toBe(2);
  expect(observed.stdout).toMatch(/keys +no key for interface A: set PROOFLOAD_ACCESS_KEY/);
  expect(observed.stdout).toContain('without --dedicated');
});

test('doctor sends the target a request, through k6 too', async () => {
  const served = await serveReference();
  const args = ['doctor', '--base-url', served.url];
  const observed = await cli(args, { cwd: temporaryDirectory(), env: served.env });
  await served.stop();
  expect(observed).toMatchObject({ code: 0, stderr: '' });
  expect(observed.stdout).toMatch(/target +answers Node and k6/);
  const gone = await cli(args, { cwd: temporaryDirectory(), env: served.env });
  expect(gone.code).toBe(2);
  expect(gone.stdout).toMatch(/target +interface A does not answer at http.*check --base-url/);
});

test('open shows the page of a run, and says where it is', async () => {
  const cwd = temporaryDirectory();
  expect(await cli(['open'], { cwd, env: { BROWSER: 'true' } })).toMatchObject({ code: 2 });
  const args = ['conformance', '--reference', '--only', 'models.list*', '--quiet'];
  expect(await cli(args, { cwd, env: {} })).toMatchObject({ code: 0 });
  const opened = await cli(['open'], { cwd, env: { BROWSER: 'true' } });
  expect(opened).toMatchObject({ code: 0, stderr: '' });
  expect(opened.stdout).toMatch(/latest\/report\.html\n$/);
  const again = await cli(['verify', '--reference', '--last-failed'], { cwd, env: {} });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('left nothing red or inconclusive');
});
