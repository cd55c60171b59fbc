/** The authorities that k6 trusts: those of Node and its own, together. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trusted } from './script.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofload-trusted-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('one alone is taken as it is', async () => {
  expect(await trusted(folder, { NODE_EXTRA_CA_CERTS: 'ca.pem' })).toEqual({ SSL_CERT_FILE: 'ca.pem' });
  // What is inherited stays as it is.
  expect(await trusted(folder, { SSL_CERT_FILE: 'own.pem' })).toEqual({});
  expect(await trusted(folder, { NODE_EXTRA_CA_CERTS: 'a.pem', SSL_CERT_FILE: 'a.pem' })).toEqual({});
  expect(await trusted(folder, {})).toEqual({});
});

test('two are one file, without one that is not there', async () => {
  const [own, extra] = [join(folder, 'own.pem'), join(folder, 'extra.pem')];
  writeFileSync(own, 'own');
  writeFileSync(extra, 'extra');
  const both = await trusted(folder, { NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: own });
  expect(readFileSync(both.SSL_CERT_FILE ?? '', 'utf8')).toBe('own\nextra');
  const one = await trusted(folder, { NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: join(folder, 'none') });
  expect(readFileSync(one.SSL_CERT_FILE ?? '', 'utf8')).toContain('extra');
});
