/** `proofload report DIR`: the pages of a run again from its results.json; sends nothing. */
import { finalBlock, renderAgain } from '../../reports/index.ts';
import { clauses } from '../../schemas/clauses/index.ts';
import { UsageError } from '../../schemas/target.ts';
import { environmentName, secrets } from '../cli/options.ts';
import type { Host } from '../host.ts';
import { styleFor } from '../style.ts';

/** Resolves with 0 once everything is written, whatever the run had found. Throws UsageError for a wrong directory. */
export async function reportAgain(directories: readonly string[], host: Host): Promise<number> {
  const [directory, ...more] = directories;
  if (directory === undefined)
    throw new UsageError('report needs the directory of a run, e.g. proofload-report/latest');
  if (more.length > 0) throw new UsageError('report takes one directory; several runs are not merged');
  const keys = secrets.map((name) => host.env[environmentName(name)]);
  const { paths, results } = await renderAgain(directory, { secrets: keys, clauses });
  host.stdout.write(`${finalBlock(results, paths, styleFor(host.stdout)).join('\n')}\n`);
  return 0;
}
