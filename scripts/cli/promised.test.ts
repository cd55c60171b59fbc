import { expect, test } from 'vitest';
import { tableOf } from '../../schemas/limits.ts';
import { loadChecksOf } from '../../schemas/load-checks.ts';
import { UsageError } from '../../schemas/target.ts';
import { documentOf, targetConfig } from './config-file.ts';

const read = (text: string, env = {}) => targetConfig(documentOf(text, 'pl.yaml'), env).promised;

const OPERATION = `operations:
  export:
    method: POST
    path: /api/v1/sl/{inst_id}/export
    body: { format: csv, to: '\${PLACE}' }
`;
const LIMITS = `limits:
  - { id: export.rate, kind: requests, operations: [export], value: 50, window: 1s }
  - { id: export.concurrency, kind: concurrent-requests, operations: [export], value: 5 }
`;
const one = (limit: string): string => `${OPERATION}limits:\n  - { ${limit} }\n`;
const SIZE = 'id: export.payload, kind: content-bytes, value: 999';
const NO_BODY = 'operations:\n  export: { method: POST, path: /x }\n';
const ABOUT_JOB = "operations:\n  export: { method: POST, path: '/x/{job_id}', body: {} }\n";
const TWO = `${NO_BODY}  other: { method: POST, path: /y }\n`;
const complaintAbout = (text: string): string => {
  try {
    read(text, { PLACE: 'here' });
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'none';
};

test('an operation and its limits, as data', () => {
  expect(read(OPERATION + LIMITS, { PLACE: 'here' })).toEqual({
    operations: [
      {
        id: 'export',
        interface: 'jobs',
        methods: ['POST'],
        path: '/api/v1/sl/{inst_id}/export',
        budget: 'export',
        body: { format: 'csv', to: 'here' },
      },
    ],
    limits: [
      expect.objectContaining({ id: 'export.rate', budget: 'export', value: 50, windowMs: 1000 }),
      expect.objectContaining({ id: 'export.concurrency', budget: 'export', value: 5 }),
    ],
  });
});

test('their checks are documented promises, and of no clause of the spec', () => {
  const checks = loadChecksOf(tableOf(read(OPERATION + LIMITS, { PLACE: 'here' }) ?? {}));
  const own = checks.filter(({ id }) => id.startsWith('export.'));
  expect(own.map(({ id }) => id)).toContain('export.rate.enforced');
  expect(own.map(({ id }) => id)).toContain('export.concurrency.guarantee');
  for (const { clauses } of own) expect(clauses).toEqual([]);
  expect(own.find(({ id }) => id === 'export.rate.guarantee')?.level).toBe('documented');
});

test.each([
  ['250ms', 250],
  ['1.5 s', 1500],
  ['1m', 60_000],
  ['2 min', 120_000],
  ['1h', 3_600_000],
])('a window may be %s', (window, windowMs) => {
  const promised = read(`limits:\n  - { id: cancel.rate, value: 30, window: ${window} }\n`);
  expect(tableOf(promised ?? {}).find('requests', 'cancel')?.windowMs).toBe(windowMs);
});

test('a row of the spec keeps its operations and may get another value and window', () => {
  const promised = read(
    'limits:\n  - { id: run.rate, value: 5000 }\n  - { id: cancel.rate, value: 30, window: 2 s }\n',
  );
  expect(promised?.operations).toBeUndefined();
  const table = tableOf(promised ?? {});
  expect(table.find('requests', 'run')).toMatchObject({ operations: ['run'], value: 5000, windowMs: 10_000 });
  expect(table.find('requests', 'cancel')).toMatchObject({ value: 30, windowMs: 2000 });
  expect(table.rows).toHaveLength(tableOf({}).rows.length);
  const payload = tableOf(read('limits:\n  - { id: run.payload, value: 1000 }\n') ?? {}).find('content-bytes', 'run');
  expect(payload).toMatchObject({ value: 1000, upperReading: 1000 });
});

test('a size of an operation of its own is exact to the byte, and needs no job', () => {
  const table = tableOf(read(one(`${SIZE}, operations: [export]`), { PLACE: 'here' }) ?? {});
  const row = table.rows.find(({ id }) => id === 'export.payload');
  expect(row).toMatchObject({ kind: 'content-bytes', budget: 'export', value: 999, upperReading: 999 });
  const ids = loadChecksOf(table).flatMap(({ id }) => (id.startsWith('export.') ? [id] : []));
  expect(ids).toEqual(['guarantee', 'enforced', 'refusal'].map((aspect) => `export.payload.${aspect}`));
});

test('a file without either promises nothing beyond the spec', () => {
  expect(read('model: a/b\n')).toBeNull();
});

test.for([
  ['operations: none\n', 'pl.yaml:1: operations takes names'],
  ['operations:\n  run: { method: POST, path: /x }\n', 'pl.yaml:2: run is an operation of the spec'],
  ['operations:\n  Ex_port: { method: POST, path: /x }\n', "pl.yaml:2: 'Ex_port' can't be the name"],
  ['operations:\n  export: { method: POST, path: /x/{inst_id}/y }\n', 'pl.yaml:2: '],
  ['operations:\n  export: POST\n', 'pl.yaml:2: operations.export takes method, path'],
  [
    'operations:\n  export: { method: POST, path: /x, methd: POST }\n',
    "pl.yaml:2: unknown key 'methd' of operations.export; did you mean",
  ],
  [
    'operations:\n  export: { method: SEND, path: /x }\n',
    'pl.yaml:2: operations.export.method is one or several of GET',
  ],
  ['operations:\n  export: { method: GET }\n', 'pl.yaml:2: operations.export needs path'],
  ['operations:\n  export:\n    method: GET\n    path: x\n', "pl.yaml:4: operations.export.path begins with '/'"],
  ['operations:\n  export:\n    method: GET\n    path: /x/{job}\n', 'pl.yaml:2: the path of export has {job}'],
  ['operations:\n  export:\n    method: GET\n    path: /v1/{job_id}\n', 'on interface A, which has no endpoint'],
  [
    'operations:\n  export: { method: GET, path: /x, interface: B }\n',
    'operations.export.interface is jobs or inference',
  ],
  ['operations:\n  export: { method: GET, path: /x, body: {} }\n', 'export has a body, which GET does not send'],
  ['operations:\n  export: { method: POST, path: /x }\n', 'pl.yaml:2: export is in no limit'],
  ['limits: 5\n', 'pl.yaml:1: limits takes a list'],
  ['limits:\n  - run.rate\n', 'pl.yaml:2: limits.0 looks like { id: run.rate'],
  ['limits:\n  - { value: 5 }\n', 'pl.yaml:2: limits.0 needs id'],
  ['limits:\n  - { id: run.rate, value: 5, valeu: 5 }\n', "pl.yaml:2: unknown key 'valeu' of limits.0; did you mean"],
  ['limits:\n  - { id: run.rate, value: 0 }\n', 'pl.yaml:2: limits.0.value takes a whole number from 1 up'],
  [
    'limits:\n  - { id: run.rate, value: 5, kind: content-bytes }\n',
    'pl.yaml:2: kind of run.rate is what the spec says',
  ],
  ['limits:\n  - { id: run.rate, value: 5, window: 10 }\n', 'pl.yaml:2: limits.0.window takes a time'],
  ['limits:\n  - { id: run.rate, value: 5, window: 9ms }\n', 'pl.yaml:2: run.rate needs a window of 100ms'],
  ['limits:\n  - { id: run.concurrency, value: 5, window: 1s }\n', 'run.concurrency has no window'],
  ['limits:\n  - { id: run.queue, value: 5 }\n', "pl.yaml:2: run.queue can't be given another value"],
  ['limits:\n  - { id: run.retention, value: 5 }\n', "pl.yaml:2: run.retention can't be given another value"],
  ['limits:\n  - { id: runn.rate, value: 5 }\n', 'pl.yaml:2: the spec has no limit runn.rate; did you mean'],
  ['limits:\n  - { id: run.rate, value: 5 }\n  - { id: run.rate, value: 6 }\n', 'pl.yaml:3: run.rate is given twice'],
  [one('id: export.rate, kind: speed, value: 5'), 'kind is requests, concurrent-requests, content-bytes'],
  [one('id: export.rate, value: 5'), 'has the kind requests, concurrent-requests, content-bytes'],
  [
    one('id: export.queue, kind: queue, value: 5'),
    'pl.yaml:7: limits.0.kind is requests, concurrent-requests, content-bytes; queues and retention are of run',
  ],
  [one('id: export.rate, kind: content-bytes, value: 99, operations: [export]'), 'name of your own and .payload, not'],
  [one('id: export.payload, kind: content-bytes, value: 9, operations: [export]'), 'has 28 bytes, more than'],
  [one(`${SIZE}, operations: [export], window: 1s`), 'export.payload has no window'],
  [`${NO_BODY}limits:\n  - { ${SIZE}, operations: [export] }\n`, 'needs a body of export that can be made longer'],
  [`${ABOUT_JOB}limits:\n  - { ${SIZE}, operations: [export] }\n`, 'whose path names a job'],
  [
    `${TWO}limits:\n  - { ${SIZE}, operations: [export, other] }\n`,
    'pl.yaml:5: export.payload is of one operation; give each its own',
  ],
  [one('id: export.speed, kind: requests, value: 5'), 'is a name of your own and .rate, not export.speed'],
  [one('id: health.rate, kind: requests, value: 5'), 'is a name of your own and .rate, not health.rate'],
  [one('id: export.rate, kind: requests, value: 5, window: 1s'), 'export.rate needs operations'],
  [
    one('id: export.rate, kind: requests, value: 5, window: 1s, operations: [run]'),
    "export.rate names 'run', which is",
  ],
  [one('id: export.rate, kind: requests, value: 5, operations: [export]'), 'export.rate needs a window'],
  [
    `${one('id: export.rate, kind: requests, value: 5, window: 1s, operations: [export]')}  - { id: other.rate, kind: requests, value: 5, window: 1s, operations: [export] }\n`,
    'export is in export.rate already, so other.rate must be called export.',
  ],
])('%j is refused: %s', ([text = '', message = '']) => {
  expect(complaintAbout(text)).toContain(message);
});
