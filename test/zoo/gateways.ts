/** nginx and HAProxy, from Debian's packages, in front of a server without limits. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cert, key } from '../support/certificate.ts';
import { type Served, type Start, serve } from './npm.ts';

type Program = 'nginx' | 'haproxy' | 'redis-server';

/** Where it is, once it is installed; undefined where that is not possible. */
export function programOf(name: Program): string | undefined {
  const found = () =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
  if (found() === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
  }
  return found();
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

const PATIENCE_MS = 10_000;

const withoutLimits = (): Promise<Served> =>
  serve((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

/** @param config of the gateway at this port, in front of that one, with files in that directory */
export async function gateway(
  name: 'nginx' | 'haproxy',
  config: (port: number, upstream: number, dir: string) => string,
  {
    scheme = 'http',
    behind = withoutLimits,
  }: { readonly scheme?: string; readonly behind?: () => Promise<Served> } = {},
): Promise<Served> {
  const program = programOf(name);
  if (!program) throw new Error(`${name} is not installed`);
  const upstream = await behind();
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'proofload-zoo-'));
  const file = join(dir, 'gateway.conf');
  writeFileSync(file, config(port, Number(new URL(upstream.url).port), dir));
  const args = name === 'nginx' ? ['-c', file, '-p', dir, '-e', join(dir, 'error.log')] : ['-f', file];
  const child = spawn(program, args, { stdio: 'ignore' });
  const url = `${scheme}://127.0.0.1:${port}`;
  const untilMs = Date.now() + PATIENCE_MS;
  while (Date.now() < untilMs && !(await answers(port))) await setTimeout(50);
  return {
    url,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await upstream.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    () => true,
    (error: { cause?: { code?: string } }) => error.cause?.code !== 'ECONNREFUSED',
  );

/** Where a client finds the certificate that it has to trust. */
export const CERTIFICATE = join(tmpdir(), 'proofload-zoo.pem');

function tlsIn(dir: string): string {
  writeFileSync(join(dir, 'key.pem'), key);
  for (const file of [join(dir, 'cert.pem'), CERTIFICATE]) writeFileSync(file, cert);
  return `ssl_certificate ${dir}/cert.pem; ssl_certificate_key ${dir}/key.pem;`;
}

/** Where nginx may write without being root. */
export const temporaryIn = (dir: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${dir}/${of};`).join(' ');

const nginxConfig =
  (perWindow: number, size: number, windowMs: number, tls = false) =>
  (port: number, upstream: number, dir: string): string =>
    `
daemon off; worker_processes 1; pid ${dir}/pid; events { worker_connections 512; }
http {
  access_log off; ${temporaryIn(dir)}
  limit_req_zone $server_name zone=one:1m rate=${Math.round((perWindow * 60_000) / windowMs)}r/m;
  limit_req_status 429;
  upstream up { server 127.0.0.1:${upstream}; keepalive 64; }
  server {
    server_name zoo; listen 127.0.0.1:${port}${tls ? ' ssl http2' : ''}; ${tls ? tlsIn(dir) : ''}
    location = /api/v1/sl/inst-1/health { proxy_pass http://up; }
    location / {
      limit_req zone=one burst=${size - 1} nodelay;
      proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection "";
    }
  }
}`;

export const nginx: Start = (limit, windowMs) => gateway('nginx', nginxConfig(limit, limit, windowMs));

/** A bucket of one size, refilled for another. */
export const nginxRefilled =
  (share: number): Start =>
  (limit, windowMs) =>
    gateway('nginx', nginxConfig(share * limit, limit, windowMs));

export const nginxTls: Start = (limit, windowMs) =>
  gateway('nginx', nginxConfig(limit, limit, windowMs, true), { scheme: 'https' });

const haproxyConfig =
  (limit: number, windowMs: number, counts: 'admitted' | 'all') =>
  (port: number, upstream: number): string => {
    const free = 'unless { path_end /health }';
    const count = `http-request track-sc0 src ${free}`;
    const deny = (rate: string) => `http-request deny deny_status 429 if { ${rate} } !{ path_end /health }`;
    const rules =
      counts === 'all'
        ? [count, deny(`sc_http_req_rate(0) gt ${limit}`)]
        : [deny(`src_http_req_rate ge ${limit}`), count];
    return `
global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:${port}
  stick-table type ip size 1k expire ${10 * windowMs}ms store http_req_rate(${windowMs}ms)
  ${rules.join('\n  ')}
  default_backend back
backend back
  server one 127.0.0.1:${upstream}
`;
  };

export const haproxy =
  (counts: 'admitted' | 'all'): Start =>
  (limit, windowMs) =>
    gateway('haproxy', haproxyConfig(limit, windowMs, counts));
