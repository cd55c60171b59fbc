/**
 * What makes the deployed handler quick, slow, streaming or failing. On a real endpoint the handler decides what its
 * input looks like, so each of the four is a template; the default is what the reference's handler understands. Checks
 * and probes describe what they need, and this turns it into an input of the target, or into the reason why there is
 * none.
 */

export const workloadNames = ['quick', 'slow', 'streaming', 'failing'] as const;
export type WorkloadName = (typeof workloadNames)[number];

/** What a check or probe wishes the handler to do, in the words of the reference's own handler. */
export interface WorkloadWish {
  /** Returned unchanged. */
  readonly echo?: unknown;
  /** How long the job should run, milliseconds. */
  readonly delay_ms?: number;
  /** How many results it should make one by one, and how far apart, milliseconds. */
  readonly chunks?: number;
  readonly chunk_delay_ms?: number;
  /** The text with which it should fail. */
  readonly fail?: string;
}

/**
 * An `input` with places to fill: a text that is just `{{echo}}`, `{{delay_ms}}` (or `{{delay_s}}`), `{{chunks}}`,
 * `{{chunk_delay_ms}}` (or `{{chunk_delay_s}}`) or `{{fail}}` becomes the value of that wish; inside a longer text it
 * becomes its words. Null where the target has no such workload; undefined is the reference's.
 */
export type Workloads = Readonly<Partial<Record<WorkloadName, unknown>>>;

export type WorkloadPlace = 'echo' | 'delay_ms' | 'chunks' | 'chunk_delay_ms' | 'fail';

/** For handlers that take seconds. */
const IN_SECONDS: Readonly<Record<string, WorkloadPlace>> = { delay_s: 'delay_ms', chunk_delay_s: 'chunk_delay_ms' };

/** The names of the places, without their braces. */
export const workloadPlaces: readonly string[] = [
  'echo',
  'delay_ms',
  'chunks',
  'chunk_delay_ms',
  'fail',
  ...Object.keys(IN_SECONDS),
];

/** The workload of a wish: failing before streaming, streaming before slow. */
export function workloadOf(wish: WorkloadWish): WorkloadName {
  if (wish.fail !== undefined) return 'failing';
  if (wish.chunks !== undefined) return 'streaming';
  return (wish.delay_ms ?? 0) > 0 ? 'slow' : 'quick';
}

const PLACE = new RegExp(`\\{\\{\\s*(${workloadPlaces.join('|')})\\s*\\}\\}`, 'g');
const WHOLE = new RegExp(`^${PLACE.source}$`);
const MAYBE_PLACE = /\{\{\s*(\w+)\s*\}\}/g;

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function wished(wish: WorkloadWish, name: string): unknown {
  const inSeconds = IN_SECONDS[name];
  const value: unknown = Object.entries(wish).find(([key]) => key === (inSeconds ?? name))?.[1];
  return inSeconds !== undefined && typeof value === 'number' ? value / 1000 : value;
}

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

/** The names in all `{{…}}` of a template, also those that are no places, and whether they are a text of their own. */
export function placesIn(template: unknown): { readonly name: string; readonly alone: boolean }[] {
  if (typeof template === 'string') {
    return [...template.matchAll(MAYBE_PLACE)].map(([whole, name = '']) => ({ name, alone: whole === template }));
  }
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap(placesIn);
}

/** Whether this part of a wish reaches the handler. */
export function takes(workloads: Workloads | undefined, name: WorkloadName, place: WorkloadPlace): boolean {
  const template = workloads?.[name];
  return template === undefined || placesIn(template).some(({ name: one }) => (IN_SECONDS[one] ?? one) === place);
}

/** Whether the configuration says that the target has no such workload. */
export function lacks(workloads: Workloads | undefined, name: WorkloadName): boolean {
  return workloads?.[name] === null;
}

const OR_YOURS = 'or describe yours under workloads';

/** What would decide a check that needs a handler which does this. */
export const handlerThat = (does: string): string => `deploy a handler that ${does}, ${OR_YOURS}`;

/** Whether the deployed handler is why nothing was decided. */
export const isAboutHandler = (reason = ''): boolean => reason.includes(OR_YOURS);

/** Why a check or probe that needs the workload is skipped. */
export function lackWords(name: WorkloadName): string {
  return `the target has no ${name} workload (workloads.${name} is null)`;
}

const NEEDED: readonly { readonly in: WorkloadName; readonly place: WorkloadPlace; readonly without: string }[] = [
  { in: 'quick', place: 'echo', without: 'checks that distinguish results are inconclusive' },
  {
    in: 'slow',
    place: 'delay_ms',
    without: 'every slow job takes as long as it takes, and some checks need another time',
  },
  { in: 'streaming', place: 'chunks', without: 'checks that count results are inconclusive' },
  { in: 'failing', place: 'fail', without: 'no check reads the text of the error' },
];

/** What can't be observed with these templates, each in a line for their author. */
export function workloadNotes(workloads: Workloads | undefined): string[] {
  return NEEDED.flatMap(({ in: name, place, without }) => {
    if (lacks(workloads, name)) return [`workloads.${name} is null: checks that need a ${name} job are skipped`];
    return takes(workloads, name, place) ? [] : [`workloads.${name} has no {{${place}}}: ${without}`];
  });
}

/** A submission that names the run and has no input, so that no job comes of it. */
export const withoutInput = (runId: string) => ({ proofload: runId });

/** The `input` for a wish, or null where the target has no such workload. */
export function inputFor(workloads: Workloads | undefined, wish: WorkloadWish): { readonly input: unknown } | null {
  const template = workloads?.[workloadOf(wish)];
  if (template === undefined) return { input: wish };
  return template === null ? null : { input: filled(template, wish) };
}

/** What a body of an ordinary job takes; estimates of bytes cover so much of it. */
const SHORT_BODY = 256;

/** By how many characters the longest template is longer than an ordinary job's body. */
export function longestTemplate(workloads: Workloads | undefined): number {
  const sizes = workloadNames.map((name) => JSON.stringify(workloads?.[name] ?? null).length);
  return Math.max(0, ...sizes.map((size) => size - SHORT_BODY));
}
