/** Several bodies of one kind, such as the events of a stream: the first that is wrong is named by its place. */
import type { ResponseName } from '../../schemas/responses/index.ts';
import type { CheckContext } from '../context.ts';
import { firstBreakOf } from '../reading/schema.ts';

/** Every one of the bodies has the fields that clients read. `what`: one of them in a word. */
export function expectEach(t: CheckContext, name: ResponseName, bodies: readonly unknown[], what: string): void {
  const found = firstBreakOf(name, 'convention', bodies, what);
  t.expectations.push({
    what: `every ${what}`,
    expected: 'the conventional fields',
    observed: found?.words ?? `all ${bodies.length}`,
    holds: found === null,
    ...(found === null ? {} : { schemaPath: found.schemaPath }),
  });
}
