/**
 * Operations that have stopped answering at all. Every request to one that hangs costs its whole patience, and there
 * are many: after a few in a row without an answer, whoever asks next is told that, and not kept waiting for the same.
 * Those few have recorded what is wrong; to the others it is no finding of their own.
 */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { Inconclusive } from './signals.ts';

const ENOUGH = 3;

export class Silence {
  readonly #inARow = new Map<DocumentedOperationId, number>();

  /** @throws Inconclusive when the operation is not worth asking any more. */
  requireVoice(id: DocumentedOperationId): void {
    const count = this.#inARow.get(id) ?? 0;
    if (count < ENOUGH) return;
    throw new Inconclusive(
      `${id} did not respond to ${count} requests in a row, so no more were sent`,
      'see the checks that got no response, and whether the target is up',
    );
  }

  answered(id: DocumentedOperationId): void {
    this.#inARow.delete(id);
  }

  /** A request without anything wrong in it that got no HTTP answer. */
  unanswered(id: DocumentedOperationId): void {
    this.#inARow.set(id, (this.#inARow.get(id) ?? 0) + 1);
  }
}
