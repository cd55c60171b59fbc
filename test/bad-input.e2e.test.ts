/** Whatever is wrong with the input: exit 2, at most two lines on stderr that name the option, no stack, no key. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../reference/server.ts';
import { cli, KEY, temporaryDirectory } from './support/cli.ts';

const cwd = temporaryDirectory();
const env = { PROOFLOAD_ACCESS_KEY: KEY };
const WRONG = 'sk-wrong-0123456789';

let reference: Served;
let silentAboutModels: Served;
let website: Server;
let notHttp: Server;
let closedPort = 0;

const listening = (server: Server) =>
  new Promise<Server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  reference = await serve({ accessKeys: [KEY] });
  silentAboutModels = await serve({ accessKeys: [KEY], models: [] });
  website = await listening(createServer((_, response) => response.end('<html>welcome</html>')));
  notHttp = await listening(createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n')));
  const gone = await listening(createTcpServer());
  closedPort = (gone.address() as AddressInfo).port;
  gone.close();
  writeFileSync(join(cwd, 'torn.yaml'), 'profile: gate\nbaseUrl: [a\n');
  writeFileSync(join(cwd, 'odd.yaml'), 'profile: gate\nbasUrl: http://127.0.0.1\n');
  writeFileSync(join(cwd, 'secret.yaml'), `accessKey: ${KEY}\n`);
  writeFileSync(join(cwd, 'limiter.yaml'), 'reference:\n  limiter: tokn\n');
  writeFileSync(join(cwd, 'keys.yaml'), `reference:\n  accessKeys: [${KEY}]\n`);
  const entry = '{ check: models.lst, target: reference, expect: fail, reason: old }';
  writeFileSync(join(cwd, 'stranger.yaml'), `version: 1\nentries:\n  - ${entry}\n`);
  writeFileSync(join(cwd, 'vague.yaml'), 'version: 1\nentries:\n  - check: models.list\n    expires: soon\n');
  writeFileSync(join(cwd, 'file'), '');
  mkdirSync(join(cwd, 'full'));
  writeFileSync(join(cwd, 'full', 'thesis.txt'), '');
});

afterAll(async () => {
  await Promise.all([reference.close(), silentAboutModels.close()]);
  website.close();
  notHttp.close();
});

async function refused(args: readonly string[], environment: Readonly<Record<string, string>> = env): Promise<string> {
  const { code, stderr, stdout } = await cli(args, { env: environment, cwd });
  expect({ code, stderr }).toMatchObject({ code: 2 });
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout + stderr).not.toContain(KEY);
  expect(stdout + stderr).not.toContain(WRONG);
  return stderr;
}

const at = (url: string) => ['--base-url', url, '--job-base-url', url, '--inst-id', 'inst-1'];

test.each([
  ['an unknown flag', ['verify', '--bas-url', 'http://a'], '--base-url'],
  ['an unknown command', ['verfy'], 'verify'],
  ['no command', [], 'verify'],
  ['a flag without its value', ['verify', '--out'], 'out'],
  ['an unexpected argument', ['verify', 'http://a'], 'unexpected argument'],
  ['a key on the command line', ['verify', '--access-key', KEY], 'PROOFLOAD_ACCESS_KEY'],
  ['a key after an equals sign', ['verify', `--job-key=${KEY}`], 'PROOFLOAD_JOB_KEY'],
  ['an address that is none', ['verify', '--base-url', 'example'], '--base-url'],
  ['an address with our path', ['verify', '--base-url', 'http://127.0.0.1/v1'], '/v1'],
  ['an address with a password', ['verify', '--base-url', `http://me:${KEY}@127.0.0.1`], '--base-url'],
  ['interface B without an instance', ['verify', '--job-base-url', 'http://127.0.0.1'], '--inst-id'],
  ['an unknown profile', ['verify', '--profile', 'fast'], '--profile'],
  ['a worker count that is none', ['plan', '--workers-max', 'three'], '--workers-max'],
  [
    '--only that matches nothing',
    ['verify', '--reference', '--only', 'nothing.*'],
    "--only 'nothing.*' matches no check",
  ],
  ['--only with one wrong of two', ['conformance', '--reference', '--only', 'models.*,nothing.*'], "'nothing.*'"],
  ['a plan with --only that matches nothing', ['plan', '--reference', '--only', 'nothing'], '--only'],
  ['a missing configuration file', ['verify', '--config', 'missing.yaml'], '--config missing.yaml'],
  ['YAML that is none', ['verify', '--config', 'torn.yaml'], 'torn.yaml:'],
  ['an unknown key in YAML', ['verify', '--config', 'odd.yaml'], "odd.yaml:2: unknown key 'basUrl'"],
  ['a key in YAML', ['verify', '--config', 'secret.yaml'], 'secret.yaml:1'],
  [
    'a missing baseline',
    ['verify', '--reference', '--baseline', 'missing.yaml'],
    '--baseline missing.yaml: no such file',
  ],
  ['a baseline that is no YAML', ['verify', '--reference', '--baseline', 'torn.yaml'], 'torn.yaml:3: '],
  ['a baseline that is another file', ['verify', '--reference', '--baseline', 'odd.yaml'], 'odd.yaml:1: '],
  [
    'a baseline entry without its target',
    ['verify', '--reference', '--baseline', 'vague.yaml'],
    'vague.yaml:3: the entry needs target',
  ],
  [
    'a baseline of a check that is none',
    ['conformance', '--reference', '--baseline', 'stranger.yaml'],
    "did you mean 'models.list'?",
  ],
  [
    'a baseline that could not be written',
    ['conformance', '--reference', '--update-baseline', '--baseline', 'gone/baseline.yaml'],
    "--baseline gone/baseline.yaml can't be written",
  ],
  ['an output that is a file', ['verify', '--reference', '--out', 'file'], '--out file'],
  ['an output below a file', ['verify', '--reference', '--out', 'file/below'], '--out'],
  ["a directory with somebody's files", ['verify', '--reference', '--out', 'full'], 'thesis.txt'],
  ['a mutant that is none', ['serve', '--mutant', 'queue-of'], 'queue-or'],
  ['a setting that is none', ['serve', '--set', 'limits.run.rat=5'], "did you mean 'limits.run.rate'?"],
  ['a setting without its value', ['serve', '--set', 'limiter'], 'limiter=VALUE; it takes sliding, '],
  [
    'a value that its setting does not take',
    ['serve', '--set', 'jitter=2'],
    '--set jitter takes a number, 0 to 1; not 2',
  ],
  ['a value nearly right', ['serve', '--set', 'limiter=tokn'], "did you mean 'token'?"],
  ['a setting given twice', ['serve', '--limiter', 'off', '--set', 'limiter=token'], 'limiter is set twice'],
  ['bounds that leave the default outside', ['serve', '--set', 'ttl.max=20000'], 'ttl.default'],
  ['a list that is none', ['serve', '--set', 'instances=[{instId'], '--set instances'],
  ['a key as a setting', ['serve', '--set', `accessKeys=[${KEY}]`], '--config'],
  ['a key as a setting that is misspelt', ['serve', '--set', `accessKey=${KEY}`], "did you mean 'accessKeys'?"],
  ['a key where a setting belongs', ['serve', '--set', KEY], 'NAME=VALUE'],
  ['a wrong setting in YAML', ['serve', '--config', 'limiter.yaml'], 'limiter.yaml:2: limiter takes sliding'],
  ['a key among the settings in YAML', ['serve', '--config', 'keys.yaml'], 'keys.yaml:2'],
  ['settings of the reference for a run', ['verify', '--config', 'limiter.yaml'], 'limiter.yaml:1: reference'],
  ['a port that is none', ['serve', '--port', '70000'], '--port'],
  ['a report that is none', ['report', 'full'], 'results.json'],
  ['a report without a directory', ['report'], 'directory'],
])('%s', async (_, args, naming) => {
  expect(await refused(args)).toContain(naming);
});

test.each([
  ['no target where there is no terminal', ['verify'], {}, '--reference'],
  ['a plan of no target', ['plan'], {}, '--reference'],
  ['a target beside the reference', ['verify', '--reference', ...at('http://127.0.0.1')], {}, '--reference takes'],
  ['an empty variable', ['verify'], { PROOFLOAD_BASE_URL: '' }, 'PROOFLOAD_BASE_URL is set but empty'],
  ['an empty key', ['verify', '--reference'], { PROOFLOAD_ACCESS_KEY: ' ' }, 'PROOFLOAD_ACCESS_KEY is set but empty'],
  [
    'a misspelt variable',
    ['verify', '--reference'],
    { PROOFLOAD_BASE_ULR: 'http://a' },
    "PROOFLOAD_BASE_ULR; did you mean 'PROOFLOAD_BASE_URL'?",
  ],
  ['a misspelt variable beside serve', ['serve'], { PROOFLOAD_LIMITR: 'off' }, 'PROOFLOAD_LIMITER'],
])('%s', async (_, args, variables, naming) => {
  expect(await refused(args, variables)).toContain(naming);
});

test('no key for a remote target', async () => {
  expect(await refused(['verify', '--base-url', reference.url], {})).toContain('PROOFLOAD_ACCESS_KEY');
  const jobs = ['verify', '--job-base-url', reference.url, '--inst-id', 'inst-1'];
  expect(await refused(jobs, {})).toContain('PROOFLOAD_JOB_KEY');
});

test('a key that no header can carry', async () => {
  expect(await refused(['verify', '--base-url', reference.url], { PROOFLOAD_ACCESS_KEY: `${KEY} x` })).toContain(
    'PROOFLOAD_ACCESS_KEY',
  );
});

test('nothing listens there', async () => {
  expect(await refused(['verify', ...at(`http://127.0.0.1:${closedPort}`)])).toContain('base-url');
});

test('a host that does not exist', async () => {
  expect(await refused(['verify', ...at('http://proofload.invalid')])).toContain('base-url');
});

test('what listens there does not speak HTTP', async () => {
  expect(await refused(['verify', ...at(urlOf(notHttp))])).toContain('base-url');
});

test('what answers there is not the service', async () => {
  expect(await refused(['verify', ...at(urlOf(website))])).toContain('base-url');
});

test('wrong credentials', async () => {
  expect(await refused(['verify', ...at(reference.url)], { PROOFLOAD_ACCESS_KEY: WRONG })).toContain('_KEY');
});

test('an instance that does not exist', async () => {
  const stderr = await refused(['verify', '--job-base-url', reference.url, '--inst-id', 'inst-missing']);
  expect(stderr).toContain('inst-missing');
  expect(stderr).toContain('--inst-id');
});

test('a service without a model is no wrong input: it is broken, and what needs a model says so', async () => {
  const args = ['conformance', '--base-url', silentAboutModels.url, '--only', 'models.list,chat.completion'];
  const { code, stdout } = await cli(args, { env, cwd });
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✕ models\.list .*--model/s) as string,
  });
});

test('a model that the service does not have', async () => {
  expect(await refused(['verify', '--base-url', reference.url, '--model', 'acme/nothing'])).toContain('--model');
});

test('the wrong k6', async () => {
  const stderr = await refused(['load', ...at(reference.url)], { ...env, K6_BIN: join(cwd, 'file') });
  expect(stderr).toContain('K6_BIN');
});
