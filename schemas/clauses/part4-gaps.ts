/** Part 4.3 of the documentation: what it does not show of the job operations, one clause for each question. */
import { type Clause, gap } from './clause.ts';

export const gapsOfJobs: readonly Clause[] = [
  gap('4.3', 'submission-body', 'The shape of a run or runsync body.', ['run', 'runsync']),
  gap('4.3', 'submission-fields', 'What further fields of a submission do.', ['run']),
  gap('4.3', 'run-response', 'What run answers besides the job id.', ['run']),
  gap('4.3', 'runsync-response', 'What runsync answers besides the results.', ['runsync']),
  gap('4.3', 'runsync-longer', 'What runsync answers for a job that runs longer than one may wait.', ['runsync']),
  gap('4.3', 'status-response', 'The body of a status answer.', ['status']),
  gap('4.3', 'status-sync-response', 'The body of a status-sync answer, and how long it is held.', ['status-sync']),
  gap('4.3', 'stream-response', 'The body of a stream answer, and how long it is held.', ['stream']),
  gap('4.3', 'cancel-response', 'The body of a cancel answer.', ['cancel']),
  gap('4.3', 'purge-queue-response', 'The body of a purge-queue answer.', ['purge-queue']),
  gap('4.3', 'purged-jobs', 'What becomes of the records of purged jobs.', ['purge-queue', 'status', 'requests']),
  gap('4.3', 'health-response', 'The body of a health answer: which statistics, and what counts as health.', [
    'health',
  ]),
  gap('4.3', 'requests-response', 'The body of a requests answer.', ['requests']),
  gap('4.3', 'requests-order', 'In which order requests are listed.', ['requests']),
  gap('4.3', 'requests-paging', 'Whether a list of requests can be had in parts.', ['requests']),
  gap('4.3', 'requests-members', 'Which requests are listed: those of ended, failed and cancelled jobs, or not.', [
    'requests',
  ]),
  gap('4.3', 'queue-order', 'In which order queued jobs are worked off.', ['run', 'status']),
];
