/** All contract checks, in the order of the operations. Add each new file of checks here; a test fails otherwise. */
import { type Check, check } from '../check.ts';
import { checks as balance } from './balance.check.ts';
import { checks as cancel } from './cancel.check.ts';
import { checks as chat } from './chat.check.ts';
import { checks as chatTools } from './chat-tools.check.ts';
import { checks as completing } from './completing.check.ts';
import { checks as completions } from './completions.check.ts';
import { checks as everyAnswer } from './every-answer.check.ts';
import { checks as gapJobs } from './gap-jobs.check.ts';
import { checks as gaps } from './gaps.check.ts';
import { checks as health } from './health.check.ts';
import { checks as inferenceAnswers } from './inference-answers.check.ts';
import { checks as inferenceAuth } from './inference-auth.check.ts';
import { checks as inferenceBorders } from './inference-borders.check.ts';
import { checks as inferenceChunks } from './inference-chunks.check.ts';
import { checks as inferenceConcurrent } from './inference-concurrent.check.ts';
import { checks as inferenceContent } from './inference-content.check.ts';
import { checks as inferenceGaps } from './inference-gaps.check.ts';
import { checks as inferenceInvalid } from './inference-invalid.check.ts';
import { checks as inferenceLeft } from './inference-left.check.ts';
import { checks as inferenceOdd } from './inference-odd.check.ts';
import { checks as inferencePace } from './inference-pace.check.ts';
import { checks as inferenceStream } from './inference-stream.check.ts';
import { checks as isolation } from './isolation.check.ts';
import { checks as jobsAuth } from './jobs-auth.check.ts';
import { checks as jobsIds } from './jobs-ids.check.ts';
import { checks as jobsInput } from './jobs-input.check.ts';
import { checks as jobsInvalid } from './jobs-invalid.check.ts';
import { checks as jobsOdd } from './jobs-odd.check.ts';
import { checks as jobsSubmissions } from './jobs-submissions.check.ts';
import { checks as jobsUnknown } from './jobs-unknown.check.ts';
import { checks as lifeCancel } from './life-cancel.check.ts';
import { checks as lifeQueue } from './life-queue.check.ts';
import { checks as lifeSame } from './life-same.check.ts';
import { checks as lifeTimes } from './life-times.check.ts';
import { checks as lifeWaits } from './life-waits.check.ts';
import { checks as methods } from './methods.check.ts';
import { checks as models } from './models.check.ts';
import { checks as ownJobs } from './own-jobs.check.ts';
import { checks as purgeQueue } from './purge-queue.check.ts';
import { checks as purgeStates } from './purge-states.check.ts';
import { checks as requests } from './requests.check.ts';
import { checks as requestsRows } from './requests-rows.check.ts';
import { checks as retention } from './retention.check.ts';
import { checks as retentionRoutes } from './retention-routes.check.ts';
import { checks as run } from './run.check.ts';
import { checks as runsync } from './runsync.check.ts';
import { checks as status } from './status.check.ts';
import { checks as statusSync } from './status-sync.check.ts';
import { checks as stream } from './stream.check.ts';
import { checks as streamReaders } from './stream-readers.check.ts';

export const allChecks: readonly Check[] = [
  ...models,
  ...chat,
  ...completing,
  ...chatTools,
  ...inferenceStream,
  ...inferenceChunks,
  ...inferencePace,
  ...inferenceLeft,
  ...inferenceConcurrent,
  ...inferenceContent,
  ...completions,
  ...inferenceAnswers,
  ...inferenceAuth,
  ...inferenceInvalid,
  ...inferenceOdd,
  ...inferenceBorders,
  ...inferenceGaps,
  ...balance,
  ...run,
  ...runsync,
  ...jobsInput,
  ...jobsInvalid,
  ...jobsSubmissions,
  ...jobsAuth,
  ...status,
  ...statusSync,
  ...stream,
  ...cancel,
  ...lifeTimes,
  ...lifeSame,
  ...lifeWaits,
  ...streamReaders,
  ...lifeCancel,
  ...lifeQueue,
  ...isolation,
  ...purgeQueue,
  ...purgeStates,
  ...health,
  ...requests,
  ...requestsRows,
  ...jobsUnknown,
  ...jobsOdd,
  ...methods,
  ...jobsIds,
  ...gaps,
  ...gapJobs,
  ...retention,
  ...retentionRoutes,
  ...ownJobs,
  ...everyAnswer,
].map(check);
