/** Runs the plain server from a command line: `node plain-main.js '{"values":{"run.rate":900}}'`. */
import { servePlain } from './plain.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
const served = await servePlain({
  accessKey: process.env.PROOFLOAD_ACCESS_KEY ?? 'plain-key',
  instances: { main: 3, small: 1, none: 0 },
  ...options,
});
console.log(`listening ${served.url}`);
