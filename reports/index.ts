/** What the rest of the program needs of the reports: put a run's results together, write them, say them in a terminal. */
export { type AssembleInput, assemble } from './assemble.ts';
export { makeDirectory } from './atomic.ts';
export { finalBlock, type Role, type Style } from './terminal.ts';
export {
  type ReportOptions,
  type ReportPaths,
  readResults,
  renderAgain,
  type WrittenReport,
  writeReport,
} from './write.ts';
