/** The same over sockets, on the machine's own clock: checks side by side, real waits, real limits. */
import { expect, test } from 'vitest';
import { defaultOptions } from '../reference/options.ts';
import { serve } from '../reference/server.ts';
import { doubts, rounds } from './fixtures/trust.ts';
import { openTarget } from './target/open.ts';

const FEW = 1;
const KEY = 'proofload-trust';
const { instances, models } = defaultOptions({});
const credentials = { accessKey: KEY, jobKey: KEY, brokeKey: 'proofload-broke', otherKey: 'proofload-other' };

test.for(rounds(FEW))('round %i', { timeout: 120_000 }, async (seed) => {
  const served = await serve({ accessKeys: [KEY] });
  const target = await openTarget(
    {
      kind: 'remote',
      baseUrl: served.url,
      jobBaseUrl: served.url,
      endpoints: instances.map((one) => ({ ...one, dedicated: true })),
      model: models[0]?.id ?? null,
    },
    credentials,
    `trust-${seed}`,
  );
  try {
    expect(await doubts(target, seed)).toEqual([]);
  } finally {
    await target.close();
    await served.close();
  }
});
