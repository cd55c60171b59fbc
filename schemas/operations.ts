/**
 * The twelve operations of the service as one table (spec part 4). Paths, methods and the budget an operation counts
 * against are read from here by the reference, the checks, the scenarios and the report; they stand nowhere else.
 * A target may have further ones, which its configuration describes in the same words (schemas/own.ts).
 */

export type InterfaceId = 'inference' | 'jobs';
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a request is counted against: `run`, `runsync`, `cancel`, `purge-queue` and `requests` each have their own
 * budget, `status` is the one that status, status-sync and stream share, `inference` is interface A's per address.
 */
export type DocumentedBudgetId = 'inference' | 'run' | 'runsync' | 'status' | 'cancel' | 'purge-queue' | 'requests';

export type DocumentedOperationId =
  | 'models'
  | 'chat'
  | 'completions'
  | 'run'
  | 'runsync'
  | 'status'
  | 'status-sync'
  | 'stream'
  | 'cancel'
  | 'purge-queue'
  | 'health'
  | 'requests';

/** A name that a configuration gives to an operation or a budget of its own; `isOwnName` in own.ts tells which may be. */
export type OwnName = string & { readonly own: 'name' };

export type OperationId = DocumentedOperationId | OwnName;
export type BudgetId = DocumentedBudgetId | OwnName;

export interface Operation {
  readonly id: OperationId;
  readonly interface: InterfaceId;
  readonly methods: readonly HttpMethod[];
  /** Path below the interface's base address; `{inst_id}` and `{job_id}` are path parameters. */
  readonly path: string;
  /** What it counts against; null where no limit is stated. */
  readonly budget: BudgetId | null;
}

export interface DocumentedOperation extends Operation {
  readonly id: DocumentedOperationId;
  /** The budget of spec part 8; null where the spec states no limit. */
  readonly budget: DocumentedBudgetId | null;
  /** Section of the spec that names it. */
  readonly section: string;
}

const INFERENCE = '/v1';
const JOBS = '/api/v1/sl/{inst_id}';

export const operations: readonly DocumentedOperation[] = [
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
  { id: 'run', interface: 'jobs', methods: ['POST'], path: `${JOBS}/run`, budget: 'run', section: '4.2' },
  { id: 'runsync', interface: 'jobs', methods: ['POST'], path: `${JOBS}/runsync`, budget: 'runsync', section: '4.2' },
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
  },
  {
    id: 'stream',
    interface: 'jobs',
    methods: ['GET', 'POST'],
    path: `${JOBS}/stream/{job_id}`,
    budget: 'status',
    section: '4.2',
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
  },
  { id: 'health', interface: 'jobs', methods: ['GET'], path: `${JOBS}/health`, budget: null, section: '4.2' },
  { id: 'requests', interface: 'jobs', methods: ['GET'], path: `${JOBS}/requests`, budget: 'requests', section: '4.2' },
];

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
