/** Lengths of time as a configuration file writes them. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 };

/** null for anything but a positive number with its unit: 500 of what is nobody's guess to make. */
export function milliseconds(text: string): number | null {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s)$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * (UNITS[unit] ?? 0);
  return ms > 0 && Number.isFinite(ms) ? ms : null;
}
