import { expect, test } from 'vitest';
import { styleFor } from './style.ts';

const roles = ['pass', 'fail', 'inconclusive', 'error', 'strong', 'dim'] as const;

test('no colours where nobody sees them', () => {
  const style = styleFor({ isTTY: false });
  for (const role of roles) expect(style(role, 'text')).toBe('text');
});
