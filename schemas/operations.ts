/**
 * The twelve operations of the service as one table (spec part 4). Paths, methods and the budget an operation counts
 * against are read from here by the reference, the checks, the scenarios and the report; they stand nowhere else.
 * A target may have further ones, which its configuration describes in the same words (schemas/own.ts).
 */

export type InterfaceId = 'inference' | 'jobs';
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A name that a configuration gives to an operation or a budget of its own; `isOwnName` in own.ts decides which are
 * allowed.
 */
export type OwnName = string & { readonly own: 'name' };

export type OperationId = DocumentedOperationId | OwnName;
export type BudgetId = DocumentedBudgetId | OwnName;

/** What all operations have. */
interface Described {
  readonly interface: InterfaceId;
  readonly methods: readonly HttpMethod[];
  /** Path below the interface's base address; `{inst_id}` and `{job_id}` are path parameters. */
  readonly path: string;
  /** It makes a job of what it is sent. */
  readonly submits?: true;
  /** It may hold its response until a job has ended. */
  readonly holds?: true;
  /** It removes the queued jobs of its endpoint. */
  readonly purges?: true;
}

export interface Operation extends Described {
  readonly id: OperationId;
  /** What it counts against; null where no limit is stated. */
  readonly budget: BudgetId | null;
}

const INFERENCE = '/v1';
const JOBS = '/api/v1/sl/{inst_id}';

const rows = [
  {
    id: 'models',
    interface: 'inference',
    methods: ['GET'],
    path: `${INFERENCE}/models`,
    budget: 'inference',
    section: '4.1',
  },
  {
    id: 'chat',
    interface: 'inference',
    methods: ['POST'],
    path: `${INFERENCE}/chat/completions`,
    budget: 'inference',
    section: '4.1',
  },
  {
    id: 'completions',
    interface: 'inference',
    methods: ['POST'],
    path: `${INFERENCE}/completions`,
    budget: 'inference',
    section: '4.1',
  },
  {
    id: 'run',
    interface: 'jobs',
    methods: ['POST'],
    path: `${JOBS}/run`,
    budget: 'run',
    section: '4.2',
    submits: true,
  },
  {
    id: 'runsync',
    interface: 'jobs',
    methods: ['POST'],
    path: `${JOBS}/runsync`,
    budget: 'runsync',
    section: '4.2',
    submits: true,
    holds: true,
  },
  {
    id: 'status',
    interface: 'jobs',
    methods: ['GET', 'POST'],
    path: `${JOBS}/status/{job_id}`,
    budget: 'status',
    section: '4.2',
  },
  {
    id: 'status-sync',
    interface: 'jobs',
    methods: ['GET', 'POST'],
    path: `${JOBS}/status-sync/{job_id}`,
    budget: 'status',
    section: '4.2',
    holds: true,
  },
  {
    id: 'stream',
    interface: 'jobs',
    methods: ['GET', 'POST'],
    path: `${JOBS}/stream/{job_id}`,
    budget: 'status',
    section: '4.2',
    holds: true,
  },
  {
    id: 'cancel',
    interface: 'jobs',
    methods: ['POST'],
    path: `${JOBS}/cancel/{job_id}`,
    budget: 'cancel',
    section: '4.2',
  },
  {
    id: 'purge-queue',
    interface: 'jobs',
    methods: ['POST'],
    path: `${JOBS}/purge-queue`,
    budget: 'purge-queue',
    section: '4.2',
    purges: true,
  },
  { id: 'health', interface: 'jobs', methods: ['GET'], path: `${JOBS}/health`, budget: null, section: '4.2' },
  { id: 'requests', interface: 'jobs', methods: ['GET'], path: `${JOBS}/requests`, budget: 'requests', section: '4.2' },
] as const satisfies readonly (Described & { id: string; budget: string | null; section: string })[];

type Row = (typeof rows)[number];
export type DocumentedOperationId = Row['id'];

/**
 * What a request is counted against: status, status-sync and stream share one budget, and all of interface A another one,
 * for each address.
 */
export type DocumentedBudgetId = NonNullable<Row['budget']>;

export interface DocumentedOperation extends Operation {
  readonly id: DocumentedOperationId;
  /** The budget of spec part 8; null where the spec states no limit. */
  readonly budget: DocumentedBudgetId | null;
  /** Section of the spec that names it. */
  readonly section: string;
}

export const operations: readonly DocumentedOperation[] = rows;

/** Those that make jobs. */
export type Submitting = Extract<Row, { readonly submits: true }>['id'];

export const isSubmitting = (id: string | null): id is Submitting => byId.get(id ?? '')?.submits === true;

/** Its jobs outlive the request that made them. */
export const leavesJobs = (id: string | null): boolean => isSubmitting(id) && !mayHold(id);

/** Its response comes when the job that it made has ended. */
export const awaitsJobs = (id: string): boolean => isSubmitting(id) && mayHold(id);

export const mayHold = (id: string | null): boolean => byId.get(id ?? '')?.holds === true;

const byId: ReadonlyMap<string, DocumentedOperation> = new Map(operations.map((one) => [one.id, one]));

/** The operation with this id. Throws on an id that is not in the table, which only a programming error can cause. */
export function operation(id: DocumentedOperationId): DocumentedOperation {
  const found = byId.get(id);
  if (!found) throw new Error(`no operation '${id}' in the operations table`);
  return found;
}

/** Path of an operation with its parameters filled in, each percent-encoded. */
export function operationPath(id: DocumentedOperationId, parameters: PathParameters = {}): string {
  return filledPath(operation(id), parameters);
}

export interface PathParameters {
  readonly instId?: string;
  readonly jobId?: string;
}

/** The same for any operation. */
export function filledPath({ path }: Operation, parameters: PathParameters): string {
  return path
    .replace('{inst_id}', encodeURIComponent(parameters.instId ?? ''))
    .replace('{job_id}', encodeURIComponent(parameters.jobId ?? ''));
}

/** Answers to `stream` may be events, and some services have nothing else. What has both answers in JSON. */
export const ACCEPT = 'application/json, text/event-stream;q=0.9, */*;q=0.1';
