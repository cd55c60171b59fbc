/**
 * What the reference answered under load, in a full run of it. Made by
 * `npx vitest run --project alone test/verify.e2e.test.ts -u`; do not edit.
 */
import type { RecordedCheck, RecordedLimit } from './load.ts';

export const recordedChecks: Readonly<Record<string, RecordedCheck>> = {
  'inference.concurrency.guarantee': {
    verdict: 'pass',
    observed:
      'held-body: 1,000 opened: 1,000 held, 0 refused at once; then 50 opened: 0 held, 50 refused at once; 1,000 at once; long-poll: 1,000 opened: 1,000 held, 0 refused at once; then 49 opened: 0 held, 49 refused at once; 1,000 at once',
  },
  'inference.concurrency.enforced': {
    verdict: 'pass',
    observed:
      'held-body: 1,000 opened: 1,000 held, 0 refused at once; then 50 opened: 0 held, 50 refused at once; 1,000 at once; long-poll: 1,000 opened: 1,000 held, 0 refused at once; then 49 opened: 0 held, 49 refused at once; 1,000 at once',
  },
  'inference.concurrency.freed': {
    verdict: 'pass',
    observed: 'after one was answered: taken; after one was aborted: taken; 1,000 at once',
  },
  'inference.concurrency.per-address': {
    verdict: 'pass',
    observed: '1,000 held and 50 of 50 more refused; meanwhile 0 of 3 from 127.0.0.2 refused (200 x 4)',
  },
  'inference.concurrency.refusal': {
    verdict: 'pass',
    observed: '429 x 50; Retry-After on 50; 429 x 49; Retry-After on 49',
  },
  'run.rate.guarantee': {
    verdict: 'pass',
    observed:
      'burst: 1,000 of 1,000 admitted; again after a window: 1,000 of 1,000 admitted; pace: 883 of 883 admitted, at most 1,000 in a window',
  },
  'run.rate.enforced': {
    verdict: 'pass',
    observed:
      'at most 1,000 certainly admitted within 10 s; beyond it 100 of 217 refused at once; behaves like a sliding log of 1,000 per 10 s',
  },
  'run.rate.independent': { verdict: 'pass', observed: 'independent: runsync, status, cancel, requests' },
  'run.rate.refusal': { verdict: 'pass', observed: '429 x 171; Retry-After on 171' },
  'run.rate.retry-after': { verdict: 'pass', observed: 'of 374 refusals with it, 267 were admitted then' },
  'run.rate.fields': { verdict: 'pass', observed: 'ratelimit, ratelimit-policy; 1,000 per 10 s' },
  'run.rate.served': { verdict: 'pass', observed: 'all 4,703, so fewer than 1 in 1,567 fails' },
  'run.concurrency.guarantee': {
    verdict: 'pass',
    observed:
      'held-body: 200 opened: 200 held, 0 refused at once; then 10 opened: 0 held, 10 refused at once; 200 at once',
  },
  'run.concurrency.enforced': {
    verdict: 'pass',
    observed:
      'held-body: 200 opened: 200 held, 0 refused at once; then 10 opened: 0 held, 10 refused at once; 200 at once',
  },
  'run.concurrency.freed': {
    verdict: 'pass',
    observed: 'after one was answered: taken; after one was aborted: taken; 200 at once',
  },
  'run.concurrency.refusal': { verdict: 'pass', observed: '429 x 10; Retry-After on 10' },
  'run.payload.guarantee': {
    verdict: 'pass',
    observed:
      '10,000,000 bytes with Content-Length: answered 200; the limit is 10,485,760 bytes; its job completed and gave back its last part; 10,000,000 bytes chunked: answered 200; the limit is 10,485,760 bytes; its job completed and gave back its last part',
  },
  'run.payload.enforced': {
    verdict: 'pass',
    observed:
      '10,485,761 bytes with Content-Length: refused with 413; the limit is 10,485,760 bytes; 10,485,761 bytes chunked: refused with 413; the limit is 10,485,760 bytes',
  },
  'run.payload.refusal': { verdict: 'pass', observed: '413' },
  'run.payload.refused-job': {
    verdict: 'pass',
    observed: '413; jobs more in health: 0 and 0; unknown ids in the list: 0',
  },
  'run.queue.guarantee': {
    verdict: 'pass',
    observed: 'inst-none, WorkersMax 0: accepted with 50 queued; inst-queue, WorkersMax 1: accepted with 500 queued',
  },
  'run.queue.enforced': {
    verdict: 'pass',
    observed: 'inst-none, WorkersMax 0: refused with 51 queued; inst-queue, WorkersMax 1: refused with 501 queued',
  },
  'run.queue.reopens': {
    verdict: 'pass',
    observed:
      'inst-none, WorkersMax 0: refused with 51 queued; 2 cancelled; accepted with 49, and refused again as soon as it was as long; inst-queue, WorkersMax 1: refused with 501 queued; 2 cancelled; accepted with 499, and refused again as soon as it was as long',
  },
  'run.queue.lengths': {
    verdict: 'observed',
    observed:
      'inst-none, WorkersMax 0: accepted with 0 to 50 queued, refused with 51; inst-queue, WorkersMax 1: accepted with 0 to 51, 53 to 500 queued, refused with 501',
  },
  'runsync.rate.guarantee': {
    verdict: 'pass',
    observed:
      'burst: 2,000 of 2,000 admitted; again after a window: 2,000 of 2,000 admitted; pace: 1,765 of 1,765 admitted, at most 2,000 in a window',
  },
  'runsync.rate.enforced': {
    verdict: 'pass',
    observed:
      'at most 2,000 certainly admitted within 10 s; beyond it 100 of 335 refused at once; behaves like a sliding log of 2,000 per 10 s',
  },
  'runsync.rate.independent': { verdict: 'pass', observed: 'independent: run, status, cancel, requests' },
  'runsync.rate.refusal': { verdict: 'pass', observed: '429 x 117; Retry-After on 117' },
  'runsync.rate.retry-after': { verdict: 'pass', observed: 'of 372 refusals with it, 322 were admitted then' },
  'runsync.rate.fields': { verdict: 'pass', observed: 'ratelimit, ratelimit-policy; 2,000 per 10 s' },
  'runsync.rate.served': { verdict: 'pass', observed: 'all 9,020, so fewer than 1 in 3,006 fails' },
  'runsync.concurrency.guarantee': {
    verdict: 'pass',
    observed:
      'held-body: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once; long-poll: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once',
  },
  'runsync.concurrency.enforced': {
    verdict: 'pass',
    observed:
      'held-body: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once; long-poll: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once',
  },
  'runsync.concurrency.freed': {
    verdict: 'pass',
    observed: 'after one was answered: taken; after one was aborted: taken; 400 at once',
  },
  'runsync.concurrency.refusal': { verdict: 'pass', observed: '429 x 20; Retry-After on 20' },
  'runsync.payload.guarantee': {
    verdict: 'pass',
    observed:
      '20,000,000 bytes with Content-Length: answered 200; the limit is 20,971,520 bytes; its job completed and gave back its last part; 20,000,000 bytes chunked: answered 200; the limit is 20,971,520 bytes; its job completed and gave back its last part',
  },
  'runsync.payload.enforced': {
    verdict: 'pass',
    observed:
      '20,971,521 bytes with Content-Length: refused with 413; the limit is 20,971,520 bytes; 20,971,521 bytes chunked: refused with 413; the limit is 20,971,520 bytes',
  },
  'runsync.payload.refusal': { verdict: 'pass', observed: '413' },
  'runsync.payload.refused-job': {
    verdict: 'pass',
    observed: '413; jobs more in health: 0 and 0; unknown ids in the list: 0',
  },
  'runsync.queue.guarantee': {
    verdict: 'pass',
    observed: 'inst-none, WorkersMax 0: accepted with 50 queued; inst-queue, WorkersMax 1: accepted with 500 queued',
  },
  'runsync.queue.enforced': {
    verdict: 'pass',
    observed: 'inst-none, WorkersMax 0: refused with 51 queued; inst-queue, WorkersMax 1: refused with 501 queued',
  },
  'runsync.queue.reopens': {
    verdict: 'pass',
    observed:
      'inst-none, WorkersMax 0: refused with 51 queued; 2 cancelled; accepted with 49, and refused again as soon as it was as long; inst-queue, WorkersMax 1: refused with 501 queued; 2 cancelled; accepted with 499, and refused again as soon as it was as long',
  },
  'runsync.queue.lengths': {
    verdict: 'observed',
    observed:
      'inst-none, WorkersMax 0: accepted with 49 to 50 queued, refused with 51; inst-queue, WorkersMax 1: accepted with 52, 499 to 500 queued, refused with 501',
  },
  'status.rate.guarantee': {
    verdict: 'pass',
    observed:
      'burst: 2,000 of 2,000 admitted; again after a window: 2,000 of 2,000 admitted; pace: 1,765 of 1,765 admitted, at most 2,000 in a window',
  },
  'status.rate.enforced': {
    verdict: 'pass',
    observed:
      'at most 2,000 certainly admitted within 10 s; beyond it 100 of 335 refused at once; behaves like a sliding log of 2,000 per 10 s',
  },
  'status.rate.shared': { verdict: 'pass', observed: 'status-sync: 10 of 10 refused; stream: 10 of 10 refused' },
  'status.rate.independent': { verdict: 'pass', observed: 'independent: run, runsync, cancel, requests' },
  'status.rate.refusal': { verdict: 'pass', observed: '429 x 147; Retry-After on 147' },
  'status.rate.retry-after': { verdict: 'pass', observed: 'of 412 refusals with it, 311 were admitted then' },
  'status.rate.fields': { verdict: 'pass', observed: 'ratelimit, ratelimit-policy; 2,000 per 10 s' },
  'status.rate.served': { verdict: 'pass', observed: 'all 9,037, so fewer than 1 in 3,012 fails' },
  'status.concurrency.guarantee': {
    verdict: 'pass',
    observed:
      'held-body: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once; long-poll: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once',
  },
  'status.concurrency.enforced': {
    verdict: 'pass',
    observed:
      'held-body: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once; long-poll: 400 opened: 400 held, 0 refused at once; then 20 opened: 0 held, 20 refused at once; 400 at once',
  },
  'status.concurrency.freed': {
    verdict: 'pass',
    observed: 'after one was answered: taken; after one was aborted: taken; 400 at once',
  },
  'status.concurrency.refusal': { verdict: 'pass', observed: '429 x 20; Retry-After on 20' },
  'cancel.rate.guarantee': {
    verdict: 'pass',
    observed:
      'burst: 100 of 100 admitted; again after a window: 100 of 100 admitted; pace: 89 of 89 admitted, at most 100 in a window',
  },
  'cancel.rate.enforced': {
    verdict: 'pass',
    observed:
      'at most 100 certainly admitted within 10 s; beyond it 20 of 31 refused at once; behaves like a sliding log of 100 per 10 s',
  },
  'cancel.rate.independent': { verdict: 'pass', observed: 'independent: run, runsync, status, requests' },
  'cancel.rate.refusal': { verdict: 'pass', observed: '429 x 57; Retry-After on 57' },
  'cancel.rate.retry-after': { verdict: 'pass', observed: 'of 97 refusals with it, 42 were admitted then' },
  'cancel.rate.fields': { verdict: 'pass', observed: 'ratelimit, ratelimit-policy; 100 per 10 s' },
  'cancel.rate.served': { verdict: 'pass', observed: 'all 529, so fewer than 1 in 176 fails' },
  'cancel.concurrency.guarantee': {
    verdict: 'pass',
    observed: 'held-body: 20 opened: 20 held, 0 refused at once; then 3 opened: 0 held, 3 refused at once; 20 at once',
  },
  'cancel.concurrency.enforced': {
    verdict: 'pass',
    observed: 'held-body: 20 opened: 20 held, 0 refused at once; then 3 opened: 0 held, 3 refused at once; 20 at once',
  },
  'cancel.concurrency.freed': {
    verdict: 'pass',
    observed: 'after one was answered: taken; after one was aborted: taken; 20 at once',
  },
  'cancel.concurrency.refusal': { verdict: 'pass', observed: '429 x 3; Retry-After on 3' },
  'purge-queue.rate.guarantee': {
    verdict: 'pass',
    observed:
      'burst: 2 of 2 admitted; again after a window: 2 of 2 admitted; pace: 2 of 2 admitted, at most 2 in a window',
  },
  'purge-queue.rate.enforced': {
    verdict: 'pass',
    observed:
      'at most 2 certainly admitted within 10 s; beyond it 5 of 5 refused at once; behaves like a sliding log of 2 per 10 s',
  },
  'purge-queue.rate.independent': { verdict: 'not-observable', observed: 'nothing' },
  'purge-queue.rate.refusal': { verdict: 'pass', observed: '429 x 7; Retry-After on 7' },
  'purge-queue.rate.retry-after': { verdict: 'pass', observed: 'of 394 refusals with it, 2 were admitted then' },
  'purge-queue.rate.fields': { verdict: 'pass', observed: 'ratelimit, ratelimit-policy; 2 per 10 s' },
  'purge-queue.rate.served': { verdict: 'pass', observed: 'all 405, so fewer than 1 in 135 fails' },
  'requests.rate.guarantee': {
    verdict: 'pass',
    observed:
      'burst: 10 of 10 admitted; again after a window: 10 of 10 admitted; pace: 9 of 9 admitted, at most 10 in a window',
  },
  'requests.rate.enforced': {
    verdict: 'pass',
    observed:
      'at most 10 certainly admitted within 10 s; beyond it 5 of 6 refused at once; behaves like a sliding log of 10 per 10 s',
  },
  'requests.rate.independent': { verdict: 'pass', observed: 'independent: run, runsync, status, cancel' },
  'requests.rate.refusal': { verdict: 'pass', observed: '429 x 14; Retry-After on 14' },
  'requests.rate.retry-after': { verdict: 'pass', observed: 'of 381 refusals with it, 35 were admitted then' },
  'requests.rate.fields': { verdict: 'pass', observed: 'ratelimit, ratelimit-policy; 10 per 10 s' },
  'requests.rate.served': { verdict: 'pass', observed: 'all 431, so fewer than 1 in 143 fails' },
  'requests.concurrency.guarantee': {
    verdict: 'pass',
    observed: 'held-body: 2 opened: 2 held, 0 refused at once; then 2 opened: 0 held, 2 refused at once; 2 at once',
  },
  'requests.concurrency.enforced': {
    verdict: 'pass',
    observed: 'held-body: 2 opened: 2 held, 0 refused at once; then 2 opened: 0 held, 2 refused at once; 2 at once',
  },
  'requests.concurrency.freed': {
    verdict: 'pass',
    observed: 'after one was answered: taken; after one was aborted: taken; 2 at once',
  },
  'requests.concurrency.refusal': { verdict: 'pass', observed: '429 x 2; Retry-After on 2' },
  'purge-queue.rate.scope': {
    verdict: 'observed',
    observed:
      'endpoint inst-1: separate budget (2 served); another account: unknown, answered 404 x 2; address 127.0.0.2: same budget (2 refused); another connection: same budget (2 refused)',
  },
  'requests.rate.scope': {
    verdict: 'observed',
    observed:
      'endpoint inst-queue: separate budget (3 served); another account: unknown, answered 404 x 3; address 127.0.0.2: same budget (3 refused); another connection: same budget (3 refused)',
  },
  'requests.concurrency.scope': {
    verdict: 'observed',
    observed:
      'endpoint inst-queue: separate budget (1 served); another account: unknown, answered 404 x 1; address 127.0.0.2: same budget (1 refused)',
  },
  'health.rate.unlimited': { verdict: 'pass', observed: '0 of 4,200 refused, at most 4,011 in a window (200 x 4,200)' },
  'inference.payload.observed': { verdict: 'observed', observed: 'all were accepted, up to 4,194,304 bytes' },
  'chat.stream.timing': {
    verdict: 'observed',
    observed:
      '160 tokens in 5 of 5 streams: the first token after 13 ms (at most 14 ms), at most 7.8 ms between two tokens',
  },
  'stream.timing': {
    verdict: 'observed',
    observed:
      '40 tokens in 5 of 5 streams: the first token after 52 ms (at most 54 ms), at most 52 ms between two tokens',
  },
  'purge-queue.load.clears-queued': {
    verdict: 'pass',
    observed:
      'inst-none, WorkersMax 0: purge answered 200 with 51 queued; 51 of 51 looked at gone; next submission 200; inst-queue, WorkersMax 1: purge answered 200 with 500 queued; 500 of 500 looked at gone; next submission 200',
  },
  'purge-queue.load.keeps-running': {
    verdict: 'pass',
    observed: 'inst-queue, WorkersMax 1: the one that was to end soon: COMPLETED',
  },
};

export const recordedLimits: Readonly<Record<string, RecordedLimit>> = {
  'inference.concurrency': { documented: 1000, lower: 1000, upper: 1000 },
  'run.rate': { documented: 1000, lower: 1000, upper: 1000, algorithm: 'sliding-log' },
  'run.concurrency': { documented: 200, lower: 200, upper: 200 },
  'run.payload': { documented: 10000000, lower: 10485760, upper: 10485760 },
  'run.queue': { documented: 50, lower: 50, upper: 50 },
  'runsync.rate': { documented: 2000, lower: 2000, upper: 2000, algorithm: 'sliding-log' },
  'runsync.concurrency': { documented: 400, lower: 400, upper: 400 },
  'runsync.payload': { documented: 20000000, lower: 20971520, upper: 20971520 },
  'runsync.queue': { documented: 50, lower: 50, upper: 50 },
  'status.rate': { documented: 2000, lower: 2000, upper: 2000, algorithm: 'sliding-log' },
  'status.concurrency': { documented: 400, lower: 400, upper: 400 },
  'cancel.rate': { documented: 100, lower: 100, upper: 100, algorithm: 'sliding-log' },
  'cancel.concurrency': { documented: 20, lower: 20, upper: 20 },
  'purge-queue.rate': { documented: 2, lower: 2, upper: 2, algorithm: 'sliding-log' },
  'requests.rate': { documented: 10, lower: 10, upper: 10, algorithm: 'sliding-log' },
  'requests.concurrency': { documented: 2, lower: 2, upper: 2 },
};
