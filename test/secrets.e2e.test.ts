/** Keys that a target sends back, in every wrapping and wherever it can, are in nothing that a run prints or writes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../reference/server.ts';
import { cli, type Ended, temporaryDirectory } from './support/cli.ts';

/** Every character of it that some wrapping writes in another way. */
const KEYS = { access: 'sk+A/7f3a=91c0"5d&<x>%41', job: "jk~B'8e2b\\d4;(4f)#66" } as const;

interface Wrapping {
  readonly sent: string;
  /** What of it tells the key, wherever it begins and ends. */
  readonly reports: string;
}

/** What a target can make of a key. */
function wrappings(key: string): Wrapping[] {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const encoded = ['', 'a', 'me:'].map((before) => base64(`${before}${key}\n`));
  const url = base64(key).replaceAll('+', '-').replaceAll('/', '_');
  const whole = [
    key,
    encodeURIComponent(key),
    encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams({ key }).toString().slice('key='.length),
    JSON.stringify(key).slice(1, -1),
    key.replace(/[&<>"']/g, (char) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[char]};`),
  ];
  return [
    ...whole.map((text) => ({ sent: text, reports: text })),
    ...[...encoded, url].map((text) => ({ sent: text, reports: text.replace(/=+$/, '').slice(6, -4) })),
  ];
}

const all = Object.values(KEYS).flatMap(wrappings);

let reference: Served | undefined;
let indiscreet: ReturnType<typeof createServer> | undefined;
let url = '';
/** `quiet` keeps the service as it is but for its headers and refusals; `refusing` answers nothing but keys. */
let mode: 'quiet' | 'refusing' = 'quiet';

const echo = (): string => all.map(({ sent }, index) => `${index}: ${sent}`).join(' | ');

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(incoming);
  const {
    host: _,
    connection: __,
    'content-length': ___,
    'transfer-encoding': ____,
    expect: _____,
    ...headers
  } = incoming.headers;
  const upstream = await request(`${reference?.url}${incoming.url}`, {
    method: (incoming.method ?? 'GET') as 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 ? { body } : {}),
  });
  const refused = mode === 'refusing' || upstream.statusCode >= 400;
  const shown = Object.fromEntries(all.map(({ sent }, index) => [`x-echo-${index}`, sent]));
  const kept = Object.fromEntries(
    Object.entries(upstream.headers).filter(([name]) => !/^(content-length|connection|transfer-encoding)$/.test(name)),
  );
  const reported = refused
    ? { 'retry-after': KEYS.job, 'www-authenticate': `Bearer realm="${encodeURIComponent(KEYS.access)}"` }
    : {};
  response.writeHead(mode === 'refusing' ? 401 : upstream.statusCode, { ...kept, ...shown, ...reported } as Record<
    string,
    string
  >);
  if (!refused) {
    for await (const chunk of upstream.body) response.write(chunk);
    response.end();
    return;
  }
  await upstream.body.dump();
  response.end(JSON.stringify({ error: { message: echo(), type: 'invalid_request_error', param: null, code: null } }));
}

beforeAll(async () => {
  reference = await serve({ accessKeys: Object.values(KEYS) });
  indiscreet = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => indiscreet?.listen(0, '127.0.0.1', resolve));
  const address = indiscreet.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

afterAll(async () => {
  indiscreet?.closeAllConnections();
  indiscreet?.close();
  await reference?.close();
});

/** Everything below a directory as text, archives unpacked, with its names. */
function everything(dir: string): { readonly name: string; readonly text: string }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      return { name: path, text: (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8') };
    });
}

/** Where a key is, and in which wrapping. */
function leaks(dir: string, { stdout, stderr }: Ended): string[] {
  const places = [...everything(dir), { name: 'stdout', text: stdout }, { name: 'stderr', text: stderr }];
  return places.flatMap(({ name, text }) =>
    all.filter(({ reports }) => text.includes(reports)).map(({ reports }) => `${name}: ${reports}`),
  );
}

const target = (): string[] => [
  '--base-url',
  url,
  '--job-base-url',
  url,
  '--inst-id',
  'inst-1',
  '--workers-max',
  '3',
  '--dedicated',
];

test('what would leak is found, in every wrapping', () => {
  expect(all.length).toBeGreaterThan(12);
  for (const { sent } of all) {
    expect(leaks(temporaryDirectory(), { code: 0, stdout: `x ${sent} y`, stderr: '' })).not.toEqual([]);
  }
});

/** Windows of a second, so that the load is over soon; whether that is true doesn't matter here. */
const quick = '  - { id: requests.rate, kind: requests, operations: [requests], value: 10, window: 1s }\n';

test('a run with contract and load, its keys from variables of other names', async () => {
  mode = 'quiet';
  const cwd = temporaryDirectory();
  const config = join(cwd, '..', `${cwd.split('/').pop()}.yaml`);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references in the file's own language
  const lines = ['accessKey: ${STAGING_A}', 'jobKey: ${STAGING_B}', 'limits:', quick];
  writeFileSync(config, lines.join('\n'));
  const env = { STAGING_A: KEYS.access, STAGING_B: KEYS.job };
  const only = ['--only', 'models.*,chat.auth.*,run.auth.*,requests.rate.*'];
  const ended = await cli(
    ['verify', '--config', config, ...target(), '--profile', 'gate', '--once', ...only, '--json'],
    { cwd, env },
  );
  expect(ended.stderr).toContain('Report');
  expect(everything(cwd).map(({ name }) => name.replace(/.*\//, ''))).toEqual(
    expect.arrayContaining([
      'results.json',
      'report.html',
      'junit.xml',
      'summary.md',
      'history.ndjson',
      'requests.rate.ndjson.gz',
      'requests.rate.log',
    ]),
  );
  expect(leaks(cwd, ended)).toEqual([]);
  // It was there: masked, and not merely absent.
  const results = everything(cwd).find(({ name }) => name.endsWith('results.json'))?.text ?? '';
  expect(results).toContain('[masked]');
  expect(everything(cwd).find(({ name }) => name.endsWith('requests.rate.ndjson.gz'))?.text).toContain('[masked]');
});

test('a target that can not be wired and says why', async () => {
  mode = 'refusing';
  const cwd = temporaryDirectory();
  const env = { PROOFLOAD_ACCESS_KEY: KEYS.access, PROOFLOAD_JOB_KEY: KEYS.job };
  const ended = await cli(['verify', ...target()], { cwd, env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('401');
  expect(leaks(cwd, ended)).toEqual([]);
});
