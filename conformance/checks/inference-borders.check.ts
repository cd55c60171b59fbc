/**
 * The borders of the options of chat and completions, as the convention draws them: one step inside, the border itself
 * and one step beyond. Which of them is taken differs from service to service and is written down; that each is served
 * or refused, and breaks nothing, is what clients depend on.
 */
import { show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { type Completing, complete, completed, completing } from '../fixtures/completions.ts';
import { expectClean } from '../fixtures/refusals.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Border {
  readonly field: string;
  readonly at: number;
  /** Which side of it is outside. */
  readonly outside: -1 | 1;
  readonly step: number;
  readonly fields: (value: number) => Fields;
}

const plain = (field: string, at: number, outside: -1 | 1, step: number): Border => ({
  field,
  at,
  outside,
  step,
  fields: (value) => ({ [field]: value }),
});

/** Low and high border of a field. */
const range = (field: string, low: number, high: number, step: number): readonly Border[] => [
  plain(field, low, -1, step),
  plain(field, high, 1, step),
];

interface Subject {
  readonly aspect: string;
  readonly only?: Completing;
  readonly borders: readonly Border[];
}

const words = ['###', '@@@', '%%%', '&&&', '~~~', '^^^'];

const subjects: readonly Subject[] = [
  { aspect: 'temperature', borders: range('temperature', 0, 2, 0.1) },
  { aspect: 'top-p', borders: range('top_p', 0, 1, 0.1) },
  { aspect: 'penalties', borders: ['presence_penalty', 'frequency_penalty'].flatMap((one) => range(one, -2, 2, 0.1)) },
  { aspect: 'stop', borders: [{ ...plain('stop', 4, 1, 1), fields: (count) => ({ stop: words.slice(0, count) }) }] },
  // The high border of n is not sent: it would be paid for many times.
  { aspect: 'n', borders: [plain('n', 1, -1, 1)] },
  { aspect: 'max-tokens', only: 'chat', borders: [plain('max_tokens', 1, -1, 1)] },
  { aspect: 'max-tokens', only: 'completions', borders: [plain('max_tokens', 0, -1, 1)] },
  {
    aspect: 'logprobs',
    only: 'chat',
    borders: [
      { ...plain('top_logprobs', 0, -1, 1), fields: (top_logprobs) => ({ logprobs: true, top_logprobs }) },
      { ...plain('top_logprobs', 20, 1, 1), fields: (top_logprobs) => ({ logprobs: true, top_logprobs }) },
    ],
  },
  { aspect: 'logprobs', only: 'completions', borders: range('logprobs', 0, 5, 1) },
  { aspect: 'best-of', only: 'completions', borders: [plain('best_of', 0, -1, 1)] },
];

const OFFSETS = [-1, 0, 1];

async function cross(t: CheckContext, id: Completing, border: Border): Promise<void> {
  const { field, at, outside, step, fields } = border;
  const seen: string[] = [];
  for (const offset of OFFSETS) {
    // Steps of a tenth don't add up exactly.
    const value = Math.round((at + offset * step) * 10) / 10;
    const broken = offset === outside ? { breaks: `${field} of ${value} is out of range` } : {};
    const request = () => complete(t, id, fields(value), broken);
    const reply = await expectClean(t, id, `${field} of ${value}`, request);
    seen.push(`${value}: ${reply.status}`);
  }
  t.note(`${field} around ${at}`, show(seen));
}

export const checks: readonly CheckDefinition[] = completing.flatMap((id) =>
  subjects
    .filter(({ only = id }) => only === id)
    .map(
      ({ aspect, borders }): CheckDefinition => ({
        id: `${id}.border.${aspect}`,
        title: `${id} never returns 5xx for ${aspect} inside, at or beyond its range`,
        clauses: ['inference.no-breakdown', 'gap.inference-request-fields'],
        async run(t) {
          await completed(t, id);
          for (const border of borders) await cross(t, id, border);
        },
      }),
    ),
);
