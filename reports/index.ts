/** What the rest of the program needs of the reports: put a run's results together, write them, say them in a terminal. */
export { type AssembleInput, assemble, collapse } from './assemble.ts';
export { makeDirectory } from './atomic.ts';
export { ambiguous } from './baseline/apply.ts';
export type { Baseline } from './baseline/baseline.ts';
export { changesFor } from './baseline/update.ts';
export { redactor } from './redact.ts';
export { jsonText, stored } from './stored.ts';
export { finalBlock, type Role, type Style } from './terminal.ts';
export {
  type ReportOptions,
  type ReportPaths,
  readResults,
  rerender,
  type WrittenReport,
  writeReport,
} from './write.ts';
