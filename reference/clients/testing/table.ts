/** The clients that docs/clients.md names, each with the version it says the tests run with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DocumentedClient {
  readonly name: string;
  readonly python: boolean;
  readonly version: string;
}

const document = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'clients.md'), 'utf8');

export const clients: readonly DocumentedClient[] = [
  ...document.matchAll(/^\| `([^`]+)`( \(Python\))? \| ([^|]+) \|/gm),
].map(([, name, python, version]) => ({
  name: String(name),
  python: python !== undefined,
  version: String(version),
}));
