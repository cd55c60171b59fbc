/**
 * Which tests get a process of their own. Most only call functions, and can use the modules that another file has
 * loaded: starting a process and loading everything for each cost more than those tests. A test that changes the
 * process is recognised by its own text and that of the helpers it imports, so that no list has to be kept.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';

/** What others would notice: `vi` itself (modules, timers, spies, globals), and the process. */
const CHANGES = [
  /^import\b[^;]*\bvi\b[^;]*\bfrom 'vitest'/m,
  /\bglobalThis\b/,
  /\bprocess\.(?:chdir|umask|exitCode|on|once|emit|std(?:in|out|err)\.write\s*=)/,
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=[^=]/,
  /\bdelete process\.env\b/,
  /\b(?:assign|defineProperty|set)\((?:process|global)\b/,
  /\b(?:setGlobal\w*|configureGlobal)\(/,
];
const USES_VI = CHANGES[0] ?? /$^/;

/** Whether a test file with this text changes more than its own objects. */
export const changesTheProcess = (text: string): boolean => CHANGES.some((one) => one.test(text));

const ELSEWHERE: ReadonlySet<string> = new Set(['node_modules', 'dist', 'proofload-report', '.git']);
const TEST = /\.test\.ts$/;

function* sourcesBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory() && !ELSEWHERE.has(entry.name)) yield* sourcesBelow(root, path);
    else if (/\.ts$/.test(entry.name)) yield path;
  }
}

/**
 * The tests among sources, by their paths, that need a process of their own. A helper counts by the name of its file:
 * one too many is apart where two have the same name, and none too few.
 */
export function apartAmong(texts: ReadonlyMap<string, string>): string[] {
  const others = [...texts].filter(([path]) => !TEST.test(path));
  const helpers = new Set(others.filter(([, text]) => USES_VI.test(text)).map(([path]) => path));
  const imports = (text: string): boolean => [...helpers].some((one) => text.includes(`/${basename(one)}'`));
  // Through other helpers too, until there are no more of them.
  for (let before = -1; before < helpers.size; ) {
    before = helpers.size;
    for (const [path, text] of others) if (imports(text)) helpers.add(path);
  }
  const units = [...texts].filter(([path]) => TEST.test(path) && !path.endsWith('.e2e.test.ts'));
  return units.filter(([, text]) => changesTheProcess(text) || imports(text)).map(([path]) => path);
}

/** Those below a folder; paths relative to it, with slashes. */
export function testsApart(root: string): string[] {
  return apartAmong(new Map([...sourcesBelow(root, '')].map((path) => [path, readFileSync(join(root, path), 'utf8')])));
}
