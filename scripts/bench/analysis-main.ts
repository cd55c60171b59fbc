/** The process that main.ts measures: reads a ledger and analyses it as a run does, and tells what that took. */
import { readFileSync } from 'node:fs';
import type { Probe } from '../../scenarios/probe.ts';
import { analyse } from '../../scenarios/run/analyse.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import { LIMIT, parameters } from './long-ledger.ts';

const [file = ''] = process.argv.slice(2);
const nothing = { checkIds: [], requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
const probe: Probe = { id: 'bench', title: '', parameters, ...nothing };
// In a function of its own, so that its text is no longer there when the ledger is analysed.
const read = () => decodeLedger(readFileSync(file, 'utf8'));
const startedAt = performance.now();
const facts = analyse(probe, read());
const seconds = (performance.now() - startedAt) / 1000;
if (facts.kind !== 'rate' || facts.burst.sent !== LIMIT) throw new Error('the analysis has lost requests');
process.send?.({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 });
process.disconnect?.();
