/** What many requests without a fault say about how rare faults are. */
import { grouped } from './thousands.ts';

/** With none in so many, at most one in a third of them is a fault, with a confidence of 95 %. */
const RULE_OF_THREE = 3;

/** `, so fewer than 1 in 1,567 fails`; empty where so few requests say nothing. */
export function rareFaultsText(faultless: number): string {
  const bound = Math.floor(faultless / RULE_OF_THREE);
  return bound > 1 ? grouped`, so fewer than 1 in ${bound} fails` : '';
}
