/** Faults in which jobs, instances and bodies interface B turns away, and in the ids it gives out. */
import { json } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import {
  type Alter,
  answers,
  bodyOf,
  jobIds,
  replyWhere,
  statusWhere,
  succeeded,
  withBody,
  withMemory,
} from './answers.ts';
import { all, isObject, type Mutant, type Plant, reading, rules } from './mutant.ts';

const NOT_FOUND = 404;
const HELD_MS = 30_000;
const SUBMISSIONS = ['run', 'runsync'] as const;
const PLAIN = /^[\w-]{1,128}$/;
const ODD = ['dots', 'line-break', 'long', 'nul', 'percent', 'quotes', 'slashes', 'space', 'star', 'unicode'];
const WILD = ['*', '%'];

const onJobs = (id: Outgoing['id']): boolean => jobIds.includes(id);
const says = (reply: { readonly body: unknown }, text: string): boolean =>
  typeof reply.body === 'string' && reply.body.includes(text);

/** Answers about a job that is not there with the record of one that the asked id is like. */
function finds(like: (asked: string, known: string) => boolean): Plant {
  return withMemory((): Alter => {
    const records = new Map<string, unknown>();
    return (reply, { id, parameters }) => {
      const asked = parameters.job_id ?? '';
      if (id === 'status' && succeeded(reply)) records.set(asked, bodyOf(reply));
      if (!says(reply, 'job not found')) return reply;
      const found = [...records].find(([known]) => like(asked, known));
      return found ? json(200, found[1]) : reply;
    };
  });
}

/** Gives the second of two submissions with one and the same body the id of the first. */
function merges(id: 'run' | 'runsync'): Plant {
  return (options) => {
    const pending: string[] = [];
    const ids = new Map<string, unknown>();
    const noting = reading(id, (sent) => {
      if ('input' in sent) pending.push(JSON.stringify(sent));
      return sent;
    });
    const merging = answers((reply, { id: asked }) => {
      const answer = asked === id && succeeded(reply) ? bodyOf(reply) : null;
      if (!answer) return reply;
      const sent = pending.shift() ?? '';
      ids.set(sent, ids.get(sent) ?? answer.id);
      return withBody(reply, { ...answer, id: ids.get(sent) });
    });
    return all(noting, merging)(options);
  };
}

export const jobsAccessMutants: readonly Mutant[] = [
  ...SUBMISSIONS.map(
    (id): Mutant => ({
      name: `${id}-duplicates-merged`,
      clauses: ['jobs.id-unique'],
      does: `takes a second submission to ${id} with the same body for the first one`,
      turnsRed: id === 'run' ? ['run.twice'] : [],
      warns: [id === 'run' ? 'stream.other-key' : 'runsync.twice'],
      apply: merges(id),
    }),
  ),
  {
    name: 'equal-inputs-once',
    clauses: ['jobs.asynchronous', 'jobs.id-in-paths'],
    does: 'gives a quick job nothing to do when another one had the same text to echo',
    turnsRed: ['run.twice.outputs'],
    warns: [],
    apply: (options) => {
      const seen = new Set<unknown>();
      return reading('run', (sent) => {
        const { input } = sent;
        const isQuick = isObject(input) && Object.keys(input).length === 1;
        const echo = isQuick ? input.echo : undefined;
        const again = typeof echo === 'string' && seen.has(echo);
        if (isQuick) seen.add(echo);
        return again ? { ...sent, input: 'nothing' } : sent;
      })(options);
    },
  },
  {
    name: 'status-sync-without-sync-jobs',
    clauses: ['runsync.job'],
    does: 'does not know synchronous jobs in status-sync',
    turnsRed: [],
    warns: ['runsync.goes-on', 'runsync.job.status-sync'],
    apply: replyWhere(
      (_reply, { id, parameters }) => id === 'status-sync' && (parameters.job_id ?? '').startsWith('sync-'),
      NOT_FOUND,
      { error: 'job not found' },
    ),
  },
  {
    name: 'ids-with-slash',
    clauses: ['jobs.id-plain'],
    does: 'gives out job ids with a slash in them',
    turnsRed: [],
    warns: ['run.id-plain', 'runsync.id-plain'],
    apply: rules({ jobId: (fresh) => `eu/${fresh}` }),
  },
  {
    name: 'ids-by-beginning',
    clauses: ['jobs.unknown-job'],
    does: 'finds a job by the beginning of its id, and also where more follows it',
    turnsRed: [],
    warns: ['cancel.near-id.longer', 'cancel.near-id.shorter', 'status.near-id.longer', 'status.near-id.shorter'],
    apply: finds(
      (asked, known) => asked !== known && asked.length > 8 && (known.startsWith(asked) || asked.startsWith(known)),
    ),
  },
  {
    name: 'ids-as-patterns',
    clauses: ['jobs.unknown-job'],
    does: 'reads the id of a job as a pattern, and finds the first that fits',
    turnsRed: [],
    warns: ['status-sync.odd-ids', 'status.odd-id.percent', 'status.odd-id.star', 'stream.odd-ids'],
    apply: finds((asked) => WILD.includes(asked)),
  },
  {
    name: 'odd-ids-500',
    clauses: ['jobs.unknown-job', 'jobs.unknown-instance'],
    does: 'breaks down on ids of jobs and names of instances with odd characters, and on long ones',
    turnsRed: [],
    warns: [
      ...ODD.map((aspect) => `status.odd-id.${aspect}`),
      ...['status-sync', 'stream', 'cancel'].map((id) => `${id}.odd-ids`),
      'health.odd-instances',
      'run.odd-instances',
    ],
    apply: statusWhere(
      (_reply, { id, parameters }) => onJobs(id) && Object.values(parameters).some((one) => !PLAIN.test(one)),
      500,
    ),
  },
  {
    name: 'instances-by-beginning',
    clauses: ['jobs.unknown-instance'],
    does: 'takes an instance whose name goes on for the one it begins with',
    turnsRed: [],
    warns: ['health.near-instance'],
    apply: replyWhere(
      (reply, { id, parameters }) =>
        id === 'health' && says(reply, 'endpoint not found') && /^inst-1./.test(parameters.inst_id ?? ''),
      200,
      { jobs: {}, workers: { idle: 1 } },
    ),
  },
  {
    name: 'unknown-jobs-waited-for',
    clauses: ['jobs.unknown-at-once'],
    does: `holds the answer about a job that never was for ${HELD_MS / 1000} seconds`,
    turnsRed: [],
    warns: ['status-sync.unknown-job.prompt', 'stream.unknown-job.prompt'],
    apply: withMemory(() => async (reply, { id, clock }) => {
      if (says(reply, 'job not found') && (id === 'status-sync' || id === 'stream')) await clock.sleep(HELD_MS);
      return reply;
    }),
  },
  {
    name: 'any-json-taken',
    clauses: ['jobs.input'],
    does: 'takes a body that is null, a number or a text for the input itself',
    turnsRed: [],
    warns: SUBMISSIONS.flatMap((id) => ['null-body', 'number-body', 'text-body'].map((one) => `${id}.invalid.${one}`)),
    apply: rules({
      understood: (id, sent) => (onJobs(id) && (typeof sent !== 'object' || sent === null) ? { input: sent } : sent),
    }),
  },
  {
    name: 'broken-json-queued',
    clauses: ['jobs.input'],
    does: 'answers a body that is not JSON with the id of a job',
    turnsRed: [],
    warns: SUBMISSIONS.flatMap((id) =>
      ['empty-body', 'form', 'malformed-json', 'script', 'truncated'].map((one) => `${id}.invalid.${one}`),
    ),
    apply: replyWhere((reply, { id }) => onJobs(id) && says(reply, 'not valid JSON'), 200, {
      id: 'job-of-nobody',
      status: 'IN_QUEUE',
    }),
  },
];
