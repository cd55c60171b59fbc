import { expect, test } from 'vitest';
import { styleFor } from './style.ts';

const roles = ['pass', 'fail', 'inconclusive', 'error', 'strong', 'dim'] as const;

test('no colours where they are not shown', () => {
  const style = styleFor({ isTTY: false });
  for (const role of roles) expect(style(role, 'text')).toBe('text');
});
