import { expect, test } from 'vitest';
import { webhookTargets } from './target.ts';

const loopback = [
  ['http://127.0.0.1:8080/done', 'http://127.0.0.1:8080/done'],
  ['https://127.9.8.7/', 'https://127.9.8.7/'],
  ['http://localhost:1', 'http://localhost:1/'],
  ['HTTP://LOCALHOST/x?y=1', 'http://localhost/x?y=1'],
  ['http://[::1]:99/', 'http://[::1]:99/'],
  ['http://[0:0:0:0:0:0:0:1]/', 'http://[::1]/'],
  // The same address in other spellings: what is used is the plain one.
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://0177.0.0.01/', 'http://127.0.0.1/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://１２７.0.0.1/', 'http://127.0.0.1/'],
] as const;

test.for(loopback)('%s leads to this machine', ([webhook, url]) => {
  expect(webhookTargets({ webhook }, 'loopback')).toEqual({ urls: [url] });
});

const elsewhere = [
  'http://example.com/',
  'http://localhost.evil.com/',
  'http://evil.com/localhost',
  'http://evil.com#127.0.0.1',
  'http://evil.com?@127.0.0.1',
  'http://127.0.0.1.evil.com/',
  'http://foo.localhost/',
  'http://localhost./',
  'http://[::ffff:127.0.0.1]/',
  'http://[::2]/',
  'http://[::]/',
  'http://0.0.0.0/',
  'http://0/',
  'http://128.0.0.1/',
  'http://2147483649/',
  'http://0300.0250.1.1/',
  'http://169.254.169.254/latest/meta-data/',
];

test.for(elsewhere)('%s leads elsewhere: refused, unless anything is allowed', (webhook) => {
  expect(webhookTargets({ webhook }, 'loopback')).toEqual({ problem: expect.stringMatching(/^webhook must lead/) });
  expect(webhookTargets({ webhook }, 'any')).toEqual({ urls: [new URL(webhook).href] });
});

const never = [
  'http://localhost@evil.com/',
  'http://evil.com@127.0.0.1/',
  'http://user:word@localhost/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'data:text/plain,x',
  '//127.0.0.1/',
  '127.0.0.1:80',
  'http://',
  'http://[::1',
  'http://256.256.256.256/',
  '',
  'soon',
  7,
  true,
  {},
  ['http://127.0.0.1/'],
];

test.for(never.map((value) => [value]))('%j is refused wherever webhooks may lead', ([webhook]) => {
  for (const reach of ['loopback', 'any'] as const) {
    expect(webhookTargets({ webhook }, reach)).toEqual({ problem: expect.stringMatching(/^webhook (is not|must)/) });
    expect(webhookTargets({ webhookV2: webhook }, reach)).toEqual({ problem: expect.stringMatching(/^webhookV2 /) });
  }
  expect(webhookTargets({ webhook, webhookV2: webhook }, 'off')).toEqual({ urls: [] });
});

test('both fields are told, the same address once, and null is as good as none', () => {
  const [webhook, webhookV2] = ['http://127.0.0.1/a', 'http://127.0.0.1/b'];
  expect(webhookTargets({ webhook, webhookV2 }, 'loopback')).toEqual({ urls: [webhook, webhookV2] });
  expect(webhookTargets({ webhook, webhookV2: webhook }, 'loopback')).toEqual({ urls: [webhook] });
  expect(webhookTargets({ webhook: null, webhookV2 }, 'loopback')).toEqual({ urls: [webhookV2] });
  expect(webhookTargets({}, 'loopback')).toEqual({ urls: [] });
});
