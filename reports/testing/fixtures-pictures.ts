/** For tests only: pictures as probes bring them, of a limit that is kept or of one that is not. */
import type { Picture } from '../../schemas/facts.ts';
import type { Limit } from '../../schemas/limits.ts';

const BIN_MS = 200;

function arrivals(limit: number, windowMs: number, kept: boolean): Picture {
  const bins = 4 * Math.round(windowMs / BIN_MS);
  const admitted = new Array<number>(bins).fill(0);
  const refused = new Array<number>(bins).fill(0);
  const burst = Math.ceil(limit / 4);
  for (let bin = 0; bin < 4; bin += 1) admitted[bin] = burst;
  for (let bin = 4; bin < 8; bin += 1) (kept ? refused : admitted)[bin] = burst;
  const pace = Math.max(1, Math.floor((limit * 0.9 * BIN_MS) / windowMs));
  for (let bin = Math.round(bins / 2); bin < bins; bin += 1) admitted[bin] = pace;
  return { kind: 'arrivals', binMs: BIN_MS, windowMs, limit, admitted, refused };
}

function inFlight(limit: number): Picture {
  const up = Array.from({ length: 20 }, (_, i) => ({
    atMs: i * 20,
    inFlight: Math.ceil((limit * (i + 1)) / 20),
    refused: 0,
  }));
  const over = [1, 2, 3].map((i) => ({ atMs: 500 + i * 100, inFlight: limit, refused: i }));
  const down = Array.from({ length: 10 }, (_, i) => ({
    atMs: 1500 + i * 15,
    inFlight: Math.floor((limit * (9 - i)) / 10),
    refused: 3,
  }));
  return { kind: 'in-flight', limit, steps: [...up, ...over, ...down] };
}

function bytes(accept: number, refuse: number): Picture {
  const sizes = [
    1_000,
    accept - 1,
    accept,
    refuse + 1,
    2 * refuse,
    (accept + refuse) / 2,
    accept + (refuse - accept) / 4,
  ];
  const border = accept + (refuse - accept) * 0.4;
  return {
    kind: 'bytes',
    accept,
    refuse,
    attempts: sizes.map((size) => ({ bytes: Math.round(size), accepted: size <= border })),
  };
}

function queue(border: number): Picture {
  const points = Array.from({ length: border + 6 }, (_, queued) => ({ queued, accepted: queued <= border + 1 }));
  return { kind: 'queue', instId: 'inst-queue', border, points };
}

function retention(documentedMs: number, kept: boolean): Picture {
  const shares = kept ? [1 / 64, 1 / 8, 1 / 2, 0.99, 1.01] : [1 / 64, 1 / 8, 0.6, 0.7];
  const keptFor = kept ? 1 : 0.65;
  const looks = shares.map((share) => ({ ageMs: Math.round(share * documentedMs), gone: share > keptFor }));
  return { kind: 'retention', documentedMs, looks };
}

export function samplePictures(limit: Limit, kept: boolean): Picture[] {
  switch (limit.kind) {
    case 'requests':
      return [arrivals(limit.value, limit.windowMs, kept)];
    case 'concurrent-requests':
      return [inFlight(limit.value)];
    case 'content-bytes':
      return [bytes(limit.value, limit.upperReading)];
    case 'queue':
      return [queue(limit.value), queue(limit.perWorker)];
    case 'retention':
      return [retention(limit.value, kept)];
  }
}
