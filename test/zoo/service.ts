/** The whole service behind a gateway that enforces its limits, the reference without any: rates and requests at once. */
import { limitsOf } from '../../schemas/limits.ts';
import { operation } from '../../schemas/operations.ts';
import { serveReference } from '../support/cli.ts';
import { gateway, temporaryIn } from './gateways.ts';
import type { Served } from './npm.ts';

const rates = limitsOf('requests');
const atOnce = limitsOf('concurrent-requests');

/** What the paths of these operations match. */
function pathOf(operations: readonly (typeof rates)[number]['operations'][number][]): string {
  const names = operations.map((id) => operation(id).path.replaceAll(/\{[^}]+\}/g, '[^/]+'));
  return `^(${names.join('|')})$`;
}

const zone = (id: string): string => id.replaceAll(/\W/g, '_');

const nginxConfig = (port: number, upstream: number, dir: string): string => `
daemon off; worker_processes 1; worker_rlimit_nofile 8192; pid ${dir}/pid; events { worker_connections 4096; }
http {
  access_log off; error_log /dev/null crit; client_max_body_size 64m; proxy_request_buffering on;
  ${temporaryIn(dir)}
  keepalive_requests 1000000; limit_req_status 429; limit_conn_status 429;
  ${rates
    .map(
      ({ id, operations, value, windowMs }) => `
  map $uri $${zone(id)} { default ""; "~${pathOf(operations)}" all; }
  limit_req_zone $${zone(id)} zone=${zone(id)}:1m rate=${Math.round((value * 60_000) / windowMs)}r/m;`,
    )
    .join('')}
  ${atOnce
    .map(
      ({ id, operations }) => `
  map $uri $${zone(id)} { default ""; "~${pathOf(operations)}" $binary_remote_addr; }
  limit_conn_zone $${zone(id)} zone=${zone(id)}:1m;`,
    )
    .join('')}
  upstream up { server 127.0.0.1:${upstream}; keepalive 64; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      ${rates.map(({ id, value }) => `limit_req zone=${zone(id)} burst=${value - 1} nodelay;`).join('\n      ')}
      ${atOnce.map(({ id, value }) => `limit_conn ${zone(id)} ${value};`).join('\n      ')}
      proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_read_timeout 120s;
    }
  }
}`;

const haproxyConfig = (port: number, upstream: number): string => {
  const table = (id: string, store: string) =>
    `backend ${zone(id)}\n  stick-table type ip size 1k expire 60s store ${store}`;
  const rules = [
    ...rates.map(({ id, operations, value, windowMs }) => {
      const is = `{ path -m reg ${pathOf(operations)} }`;
      return [
        `http-request deny deny_status 429 if ${is} { src_http_req_rate(${zone(id)}) ge ${value} }`,
        `http-request track-sc0 src table ${zone(id)} if ${is}`,
        table(id, `http_req_rate(${windowMs}ms)`),
      ] as const;
    }),
    ...atOnce.map(({ id, operations, value }) => {
      const is = `{ path -m reg ${pathOf(operations)} }`;
      return [
        `http-request track-sc1 src table ${zone(id)} if ${is}`,
        `http-request deny deny_status 429 if ${is} { sc1_conn_cur gt ${value} }`,
        table(id, 'conn_cur'),
      ] as const;
    }),
  ];
  return `
global
  maxconn 8192
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
frontend front
  bind 127.0.0.1:${port} backlog 4096
  ${rules.flatMap((one) => one.slice(0, 2)).join('\n  ')}
  default_backend back
backend back
  server one 127.0.0.1:${upstream}
${rules.map(([, , made]) => made).join('\n')}
`;
};

async function reference(): Promise<Served> {
  const off = [...rates, ...atOnce].flatMap(({ id }) => ['--set', `limits.${id}=off`]);
  const { url, stop } = await serveReference(off);
  return { url, close: stop };
}

export const behindNginx = (): Promise<Served> => gateway('nginx', nginxConfig, { behind: reference });
export const behindHaproxy = (): Promise<Served> => gateway('haproxy', haproxyConfig, { behind: reference });
