/**
 * What makes the deployed handler be quick, slow, streaming or failing. On a real endpoint the handler decides what its
 * input looks like, so each of the four is a template; the default is what the reference's handler understands. Checks
 * and probes say what they wish for, and this turns the wish into an input of the target, or says that it has none.
 */

export const workloadNames = ['quick', 'slow', 'streaming', 'failing'] as const;
export type WorkloadName = (typeof workloadNames)[number];

/** What a check or probe wishes the handler to do, in the words of the reference's own handler. */
export interface WorkloadWish {
  /** To be put out again, unchanged. */
  readonly echo?: unknown;
  /** How long the job shall run, milliseconds. */
  readonly delay_ms?: number;
  /** How many results it shall make one by one, and how far apart, milliseconds. */
  readonly chunks?: number;
  readonly chunk_delay_ms?: number;
  /** The text with which it shall fail. */
  readonly fail?: string;
}

/**
 * An `input` with places to fill: a text that is just `{{echo}}`, `{{delay_ms}}`, `{{chunks}}`, `{{chunk_delay_ms}}` or
 * `{{fail}}` becomes the value of that wish; inside a longer text it becomes its words. Null where the target has no
 * such workload; undefined is the reference's.
 */
export type Workloads = Readonly<Partial<Record<WorkloadName, unknown>>>;

/** What a wish asks for: to fail before to stream, to stream before to be slow. */
export function workloadOf(wish: WorkloadWish): WorkloadName {
  if (wish.fail !== undefined) return 'failing';
  if (wish.chunks !== undefined) return 'streaming';
  return (wish.delay_ms ?? 0) > 0 ? 'slow' : 'quick';
}

const PLACE = /\{\{\s*(echo|delay_ms|chunks|chunk_delay_ms|fail)\s*\}\}/g;
const WHOLE = /^\{\{\s*(echo|delay_ms|chunks|chunk_delay_ms|fail)\s*\}\}$/;

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const wished = (wish: WorkloadWish, name: string): unknown => Object.entries(wish).find(([key]) => key === name)?.[1];

function filled(template: unknown, wish: WorkloadWish): unknown {
  if (typeof template === 'string') {
    const whole = WHOLE.exec(template)?.[1];
    if (whole !== undefined) return wished(wish, whole) ?? null;
    return template.replaceAll(PLACE, (_, name: string) => words(wished(wish, name)));
  }
  if (Array.isArray(template)) return template.map((one) => filled(one, wish));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, wish)]));
}

/** The `input` for a wish, or null where the target has no such workload. */
export function inputFor(workloads: Workloads | undefined, wish: WorkloadWish): { readonly input: unknown } | null {
  const template = workloads?.[workloadOf(wish)];
  if (template === undefined) return { input: wish };
  return template === null ? null : { input: filled(template, wish) };
}
