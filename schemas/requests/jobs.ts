/** Requests of interface B. The documentation shows no body and no query, so nearly everything here is convention. */
import { anything, nonEmptyText, object, text } from '../responses/schema.ts';
import { convention, documented, type Fields, flag, optional, type RequestSchema } from './request.ts';

const milliseconds = { type: 'integer', minimum: 0 };
const address = optional({ type: 'string', pattern: '^https?://' });

const wait = convention(milliseconds, 'how long the answer may be held, milliseconds.');

const policy = optional({
  ...object({}, { executionTimeout: milliseconds, ttl: milliseconds, lowPriority: flag }),
  type: 'object',
});

const s3Config = optional({
  ...object({}, { accessId: text, accessSecret: text, bucketName: text, endpointUrl: text, objectPath: text }),
  type: 'object',
});

const submission = object(
  { input: convention(anything, 'what the handler gets.') },
  {
    webhook: convention(address, 'where the record of the finished job is sent.'),
    webhookV2: convention(address, 'the same, in a newer form.'),
    policy: convention(policy, 'how long the job may run and live, milliseconds, and whether others go first.'),
    s3Config: convention(s3Config, 'where the handler may put large outputs.'),
  },
);

const instance: Fields = {
  inst_id: documented(nonEmptyText, 'The endpoint instance. Its format is not documented.'),
};
const job: Fields = { ...instance, job_id: documented(nonEmptyText, 'The id that run answered with.') };

/** Clients send nothing, or an empty object, and say that it is JSON. */
const nothing = { required: false, schema: convention({ type: 'object' }, 'nothing is read of it.') };

const run: RequestSchema = { path: instance, query: {}, body: { required: true, schema: submission } };

export const jobs = {
  run,
  runsync: { ...run, query: { wait } },
  status: {
    path: job,
    query: { ttl: convention(milliseconds, 'how long the finished job stays available, milliseconds.') },
    body: nothing,
  },
  'status-sync': { path: job, query: { wait }, body: nothing },
  stream: { path: job, query: { wait }, body: nothing },
  cancel: { path: job, query: {}, body: nothing },
  'purge-queue': { path: instance, query: {}, body: nothing },
  health: { path: instance, query: {}, body: null },
  requests: {
    path: instance,
    query: {
      limit: convention({ type: 'integer', minimum: 1 }, 'how many requests to list.'),
      offset: convention({ type: 'integer', minimum: 0 }, 'how many requests to leave out first.'),
    },
    body: null,
  },
} satisfies Record<string, RequestSchema>;
