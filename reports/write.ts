/**
 * The one place where a report reaches the disk. Every file goes through the same redactor, and every file is written
 * whole. Rendering is pure; so a directory can be rendered again from its results.json alone.
 */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clause } from '../schemas/clauses/clause.ts';
import { at, parseJson } from '../schemas/json.ts';
import type { StoredResults } from '../schemas/results.ts';
import { RESULTS_SCHEMA_VERSION, type Results } from '../schemas/results.ts';
import { UsageError } from '../schemas/target.ts';
import { makeDirectory, pointLatest, writeWhole } from './atomic.ts';
import { renderPage } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { type Redactor, redactor } from './redact.ts';
import { EXIT } from './run-verdict.ts';
import { jsonText, restored, stored, upgraded } from './stored.ts';
import { renderSummary } from './summary.ts';
import { schemaBreaks } from './validate.ts';

export interface ReportOptions {
  /** Keys that must not appear in any file. */
  readonly secrets: readonly (string | null | undefined)[];
  /** Texts of the clauses; a report shows them next to what was seen. */
  readonly clauses: readonly Clause[];
  /** Point `latest` next to the directory at it; only where runs are kept side by side. */
  readonly latest?: boolean;
}

export interface ReportPaths {
  readonly dir: string;
  readonly results: string;
  readonly html: string;
  readonly junit: string;
  readonly summary: string;
  /** The `latest` pointer, or null where none was wanted or could be made. */
  readonly latest: string | null;
}

export interface WrittenReport {
  readonly paths: ReportPaths;
  /** What was written: as given, masked, and marked as an error where it broke its own schema. */
  readonly results: Results;
}

const pathsIn = (dir: string): Omit<ReportPaths, 'latest'> => ({
  dir,
  results: join(dir, 'results.json'),
  html: join(dir, 'report.html'),
  junit: join(dir, 'junit.xml'),
  summary: join(dir, 'summary.md'),
});

/** Results that break their own schema are marked as such; a broken promise that was seen stays the verdict. */
function checked(results: Results): Results {
  const breaks = schemaBreaks(stored(results));
  if (breaks.length === 0) return results;
  const why = `a fault of proofload: results.json breaks its own schema (${breaks.join('; ')})`;
  const green = results.exitCode === EXIT.conforms || results.exitCode === EXIT.inconclusive;
  return {
    ...results,
    complete: false,
    verdict: results.verdict === 'fail' ? 'fail' : 'error',
    exitCode: green ? EXIT.nothingSaid : results.exitCode,
    run: { ...results.run, interrupted: results.run.interrupted ? `${results.run.interrupted}; ${why}` : why },
  };
}

async function render(results: Results, dir: string, redact: Redactor, clauses: readonly Clause[]): Promise<void> {
  const paths = pathsIn(dir);
  const files: readonly (readonly [string, string])[] = [
    [paths.results, jsonText(stored(results))],
    [paths.html, renderPage(results, clauses)],
    [paths.junit, renderJunit(results)],
    [paths.summary, renderSummary(results)],
  ];
  for (const [path, text] of files) await writeWhole(path, redact.file(text));
}

function unwritable(dir: string, error: unknown): UsageError {
  const why = error instanceof Error ? error.message : String(error);
  return new UsageError(`the report cannot be written to ${dir} (${why})\nchoose another directory with --out`);
}

/** Whether an error came from the file system rather than from rendering. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error && 'syscall' in error;

/**
 * Writes `results.json`, `report.html`, `junit.xml` and `summary.md` into `dir` (made if missing). The exit code to use is that of the returned results.
 * Throws UsageError naming `--out` when the directory cannot be written.
 */
export async function writeReport(results: Results, dir: string, options: ReportOptions): Promise<WrittenReport> {
  const redact = redactor(options.secrets);
  const safe = checked(redact.deep(results));
  const target = resolve(dir);
  try {
    await makeDirectory(target);
    await render(safe, target, redact, options.clauses);
  } catch (error) {
    throw isSystemError(error) ? unwritable(target, error) : error;
  }
  const latest = options.latest ? await pointLatest(target) : null;
  return { paths: { ...pathsIn(target), latest }, results: safe };
}

/**
 * Reads the results.json of a run's directory. Throws UsageError when there is none, when it is no JSON, or when it is
 * of another schema version.
 */
export async function readResults(dir: string): Promise<Results> {
  const path = join(resolve(dir), 'results.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new UsageError(`there is no ${path}\nname the directory of a run, e.g. proofload-report/latest`);
  }
  const value = parseJson(text);
  if (value === undefined) {
    throw new UsageError(`${path} is not JSON: it was cut short or written by something else`);
  }
  const version = at(value, 'schemaVersion') ?? null;
  if (version !== 1 && version !== RESULTS_SCHEMA_VERSION) {
    throw new UsageError(
      `${path} has schemaVersion ${JSON.stringify(version)}; this proofload reads 1 and ${RESULTS_SCHEMA_VERSION}`,
    );
  }
  const current = upgraded({ ...(value as object), schemaVersion: version });
  const breaks = schemaBreaks(current);
  if (breaks.length > 0) throw new UsageError(`${path} breaks the schema of results.json: ${breaks.join('; ')}`);
  return restored(current as StoredResults);
}

/** Renders the other three files of a run's directory again from its results.json. Throws UsageError as reading does. */
export async function rerender(dir: string, options: ReportOptions): Promise<WrittenReport> {
  const redact = redactor(options.secrets);
  const results = redact.deep(await readResults(dir));
  const target = resolve(dir);
  try {
    await render(results, target, redact, options.clauses);
  } catch (error) {
    throw isSystemError(error) ? unwritable(target, error) : error;
  }
  return { paths: { ...pathsIn(target), latest: null }, results };
}
