/** Names a run: sorts by time and is unlike any other, `20261121-030405-9f3a`. */
import { randomBytes } from 'node:crypto';

export function newRunId(now: Date = new Date(), random: () => string = () => randomBytes(2).toString('hex')): string {
  const [date, time] = now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .split('T');
  return `${date?.replaceAll('-', '')}-${time?.replaceAll(':', '')}-${random()}`;
}
