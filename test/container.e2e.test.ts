/**
 * The Dockerfile without a container engine: a linter reads it, the steps of its build stage are run in an empty directory,
 * and the files of its last stage run as in a container: as an ordinary user, with a file system that is read-only except
 * for /work and /tmp.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Copy, DockerfileParser, type From, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import picomatch from 'picomatch';
import { afterAll, expect, test } from 'vitest';
import { silent } from '../schemas/progress.ts';
import { provisionK6 } from '../scripts/k6/provision.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
const home = mkdtempSync(join(tmpdir(), 'proofload-container-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The instructions behind each FROM, by the name of the stage; the last has none. */
const stages = new Map<string, Instruction[]>();
let last: Instruction[] = [];
for (const one of DockerfileParser.parse(text).getInstructions()) {
  if (one.getKeyword() === 'FROM') {
    last = [];
    stages.set((one as From).getBuildStage() ?? '', last);
  }
  last.push(one);
}
const stage = (name: string): readonly Instruction[] => stages.get(name) ?? [];
const argumentsOf = (one: Instruction): string[] => one.getArguments().map((word) => word.getValue());

test('a linter finds nothing', () => {
  expect(validate(text)).toEqual([]);
});

test('versions are named, and what runs is no superuser’s', () => {
  const images = [...stages.values()].map(([from]) => (from as From).getImage() ?? '');
  for (const image of images) expect(image === 'node' || /:\d+\.\d+/.test(image), image).toBe(true);
  const words = stage('').map((one) => `${one.getKeyword()} ${argumentsOf(one).join(' ')}`);
  expect(words.indexOf('USER node')).toBeGreaterThan(words.findLastIndex((one) => one.startsWith('RUN')));
  expect(text).not.toMatch(/^ADD |:latest/m);
});

test.runIf(process.version === 'v20.20.2' && process.arch === 'x64')('the checksum is that of this Node', () => {
  expect(text).toContain(`node:${process.version.slice(1)}-`);
  expect(text).toContain(createHash('sha256').update(readFileSync(process.execPath)).digest('hex'));
});

/** What `.dockerignore` leaves out. */
const isIgnored = picomatch(readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n'), { dot: true });

function copy(names: readonly string[], from: string, to: string): void {
  for (const name of names) {
    const isDirectory = !to.endsWith('/') && names.length === 1;
    const filter = (path: string): boolean => !isIgnored(path.slice(from.length + 1));
    const target = isDirectory ? to : join(to, name.split('/').at(-1) ?? '');
    cpSync(join(from, name), target, { recursive: true, filter: from === root ? filter : () => true });
  }
}

test('the stages make what runs with nothing to write to but its directory', { timeout: 600_000 }, async (context) => {
  const source = join(home, 'src');
  mkdirSync(source);
  for (const one of stage('build')) {
    const words = argumentsOf(one);
    if (one.getKeyword() === 'COPY') copy(words.slice(0, -1), root, join(source, words.at(-1) ?? ''));
    if (one.getKeyword() === 'RUN') await run('sh', ['-ec', words.join(' ')], { cwd: source, maxBuffer: 10_000_000 });
  }
  const image = join(home, 'image');
  for (const one of stage('')) {
    const words = argumentsOf(one);
    const isBuilt = one.getKeyword() === 'COPY' && (one as Copy).getFromFlag()?.getValue() === 'build';
    const [from = '', to = ''] = words;
    if (isBuilt) copy([from.replace('/src/', '')], source, join(image, to));
  }
  expect(readdirSync(join(image, 'opt', 'proofload')).sort()).toEqual([
    'dist',
    'node_modules',
    'package.json',
    'schemas',
  ]);
  mkdirSync(join(image, 'opt', 'bin'));
  const k6 = await provisionK6({ progress: silent, signal: new AbortController().signal, env: process.env });
  copyFileSync(k6.path, join(image, 'opt', 'bin', 'k6'));
  const work = join(home, 'work');
  mkdirSync(work);
  chmodSync(work, 0o777);
  if (process.getuid?.() !== 0) return context.skip('only root can make a file system that is read-only');
  const command = ['node', '/opt/proofload/dist/scripts/main.js', 'verify', '--reference', '--only', 'health.*'];
  const script = [
    'mount --make-rprivate /',
    `mount --bind ${image}/opt /opt`,
    `mount --bind ${work} /mnt`,
    'mount -t tmpfs tmpfs /tmp && chmod 1777 /tmp',
    'mount -o remount,ro,bind / && mount -o remount,ro,bind /opt',
    'cd /mnt && ! touch /opt/x 2>/dev/null && ! touch /usr/x 2>/dev/null',
    `exec setpriv --reuid 1000 --regid 1000 --clear-groups env -i HOME=/tmp PATH=/opt/bin:${join(process.execPath, '..')}:/usr/bin:/bin ${command.map((word) => `'${word}'`).join(' ')}`,
  ].join('\n');
  const { stdout } = await run('unshare', ['--mount', 'sh', '-ec', script], { maxBuffer: 10_000_000 });
  expect(stdout).toContain('Conforms');
  expect(stdout).toContain('k6 v2.2.0 from the PATH');
  expect(readdirSync(join(work, 'proofload-report')).length).toBeGreaterThan(0);
});
