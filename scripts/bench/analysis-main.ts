/** The measured process: reads the ledgers of a rate probe, analyses them as a run does, and reports the cost. */
import { readFileSync } from 'node:fs';
import type { Probe, RateParameters } from '../../scenarios/probe.ts';
import { analyse } from '../../scenarios/run/analyse.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import type { Analysis, Cost } from './analysis.ts';

const [parametersFile = '', ...files] = process.argv.slice(2);
const parameters = JSON.parse(readFileSync(parametersFile, 'utf8')) as RateParameters;
const nothing = { checkIds: [], requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
const probe: Probe = { id: 'bench', title: '', parameters, ...nothing };
function* texts(): Generator<string> {
  for (const file of files) yield readFileSync(file, 'utf8');
}
const startedAt = performance.now();
const cost = (): Cost => ({
  seconds: (performance.now() - startedAt) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
});
// In a function of its own, so that its text is no longer there when the ledger is analysed.
const read = () => decodeLedger(texts());
const ledger = read();
const merged = cost();
const facts = analyse(probe, ledger);
const analysed = cost();
if (facts.kind !== 'rate') throw new Error('no facts of a rate');
const { burst, within, survivors, health } = facts;
const reported: Analysis = { merged, analysed, burst: burst.sent, refusedWithin: within.refused, survivors, health };
process.send?.(reported);
process.disconnect?.();
