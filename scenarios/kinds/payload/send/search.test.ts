import { expect, test } from 'vitest';
import type { PayloadOutcome } from '../../../../schemas/facts.ts';
import { type Sized, searchSizes } from './confirm.ts';
import { MOST_AGAIN } from './sizes.ts';

const sizes = { acceptBytes: 100, refuseBytes: 101, floorBytes: 10, capBytes: 200 };

async function search(answer: (one: Sized) => PayloadOutcome) {
  const sent: Sized[] = [];
  const attempts = await searchSizes('chunked', sizes, async (one) => {
    sent.push(one);
    return answer(one);
  });
  return { sent, attempts };
}

test('documented sizes alone where the border is between them', async () => {
  const { sent } = await search(({ bytes }) => (bytes <= 100 ? 'accepted' : 'refused'));
  expect(sent.map(({ bytes }) => bytes)).toEqual([10, 100, 101]);
});

test('to the byte where it is elsewhere', async () => {
  const { attempts } = await search(({ bytes }) => (bytes <= 63 ? 'accepted' : 'refused'));
  expect(attempts).toContainEqual({ bytes: 63, fate: 'accepted' });
  expect(attempts).toContainEqual({ bytes: 64, fate: 'refused' });
});

test('a cut connection is tried again, a few times, and what came then counts', async () => {
  const { sent, attempts } = await search(({ bytes, phase }) =>
    bytes <= 40 ? 'accepted' : phase === 'retry' ? 'refused' : 'broken-off',
  );
  expect(sent.filter(({ phase }) => phase === 'retry')).toHaveLength(MOST_AGAIN);
  expect(attempts).toContainEqual({ bytes: 41, fate: 'refused' });
});
