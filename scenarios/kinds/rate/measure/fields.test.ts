import { expect, test } from 'vitest';
import { noteOf } from '../../../limit-fields.ts';
import { announcedIn } from './announced.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const DATE = new Date(NOW_MS).toUTCString();
const inSeconds = (s: number) => Math.floor(NOW_MS / 1000) + s;
/** The clock here is off, and so never used where the target tells its own. */
const said = (headers: Record<string, string>) => announcedIn(noteOf({ Date: DATE, ...headers }), NOW_MS + 90_000);

test.each<[string, Record<string, string>, object]>([
  [
    'items, draft 8 and later',
    { Ratelimit: '"default";r=12;t=7', 'Ratelimit-Policy': '"default";q=100;w=10' },
    { left: 12, resetMs: 7000, policies: [{ quota: 100, windowMs: 10_000 }] },
  ],
  [
    'several items: what is left is the least, and the reset the last of them',
    { Ratelimit: '"burst";r=0;t=1, "day";r=900;t=4000', 'Ratelimit-Policy': '"burst";q=10;w=1, "day";q=1000;w=86400' },
    {
      left: 0,
      resetMs: 4_000_000,
      policies: [
        { quota: 10, windowMs: 1000 },
        { quota: 1000, windowMs: 86_400_000 },
      ],
    },
  ],
  [
    'one dictionary, draft 7',
    { Ratelimit: 'limit=100, remaining=50, reset=30', 'Ratelimit-Policy': '100;w=60' },
    { left: 50, resetMs: 30_000, policies: [{ quota: 100, windowMs: 60_000 }, { quota: 100 }] },
  ],
  [
    'three fields, draft 6 and before',
    { 'Ratelimit-Limit': '100, 100;w=10', 'Ratelimit-Remaining': '0', 'Ratelimit-Reset': '3' },
    { left: 0, resetMs: 3000, policies: [{ quota: 100 }, { quota: 100, windowMs: 10_000 }] },
  ],
  [
    'X-RateLimit with seconds',
    { 'X-Ratelimit-Limit': '60', 'X-Ratelimit-Remaining': '59', 'X-Ratelimit-Reset': '4' },
    { left: 59, resetMs: 4000, policies: [{ quota: 60 }] },
  ],
  ['X-RateLimit with seconds since 1970', { 'X-Ratelimit-Reset': `${inSeconds(8)}` }, { resetMs: 9000 }],
  ['X-RateLimit with milliseconds since 1970', { 'X-RateLimit-Reset': `${inSeconds(8)}250` }, { resetMs: 9250 }],
  [
    'X-Rate-Limit with a date',
    { 'X-Rate-Limit-Reset': new Date(NOW_MS + 5000).toUTCString(), 'X-Rate-Limit-Limit': '5' },
    { resetMs: 6000, policies: [{ quota: 5 }] },
  ],
  ['Retry-After in seconds', { 'Retry-After': '7' }, { fields: ['retry-after'], retryAfterMs: 7000 }],
  ['Retry-After as a date', { 'Retry-After': new Date(NOW_MS + 2000).toUTCString() }, { retryAfterMs: 3000 }],
  ['a moment that is past', { 'Retry-After': new Date(NOW_MS - 2000).toUTCString() }, { retryAfterMs: 0 }],
])('%s', (_, headers, expected) => {
  expect(said(headers)).toMatchObject(expected);
});

test.each([{}, { Ratelimit: '===' }, { 'X-Ratelimit-Reset': 'soon', 'Retry-After': '-1 x' }])(
  'what is absent or means something else says nothing: %j',
  (headers) => {
    const { retryAfterMs, resetMs, left, policies } = said(headers as Record<string, string>);
    expect([retryAfterMs, resetMs, left, policies]).toEqual([undefined, undefined, undefined, []]);
  },
);
