#!/usr/bin/env node
/**
 * Says what is needed where Node is too old, which could not even read the modules of the program. So nothing is imported
 * before that is known, and nothing here is newer than modules are.
 */
const NEEDED = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [neededMajor = 0, neededMinor = 0] = NEEDED;
if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) {
  import('./proofload.js');
} else {
  process.stderr.write(`proofload: needs Node ${NEEDED.join('.')} or newer; this is ${process.version}\n`);
  process.exitCode = 2;
}

export {};
