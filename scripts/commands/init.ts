/** `proofload init`: writes a configuration with a comment for each key, and its schema for editors. */
import { writeFile } from 'node:fs/promises';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { configSchema, exampleConfig, SCHEMA_FILE } from '../cli/config-schema.ts';
import type { Host } from '../host.ts';

const CONFIG_FILE = 'proofload.yaml';

/** Resolves with 0. Throws UsageError where there is such a file, which is never overwritten, or where none can be written. */
export async function writeConfig(host: Host): Promise<number> {
  try {
    await writeFile(CONFIG_FILE, exampleConfig(), { flag: 'wx' });
    await writeFile(SCHEMA_FILE, `${JSON.stringify(configSchema(), null, 2)}\n`);
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    if (code === 'EEXIST') throw new UsageError(`${CONFIG_FILE} is there already; edit it, or move it away`);
    throw new UsageError(`${CONFIG_FILE} can't be written here (${code})`);
  }
  host.stdout.write(
    `${CONFIG_FILE} and ${SCHEMA_FILE} are written. Set the addresses and the instance in ${CONFIG_FILE}, then:\n` +
      `  export PROOFLOAD_ACCESS_KEY=... PROOFLOAD_JOB_KEY=...\n` +
      `  npx proofload doctor --config ${CONFIG_FILE}\n` +
      `  npx proofload verify --config ${CONFIG_FILE}\n`,
  );
  return 0;
}
