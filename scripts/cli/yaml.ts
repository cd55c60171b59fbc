/** The YAML library, loaded when there is a file or a value to read: most commands have none, and it is a large one. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

export function yaml(): typeof import('yaml') {
  return load('yaml');
}
