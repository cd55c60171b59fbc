/** What a run is doing, as state and as text: pure, so that the two ways of showing it can be tested without a screen. */
import type { ProgressTask } from '../schemas/progress.ts';
import { duration } from '../schemas/thousands.ts';

interface Running extends ProgressTask {
  readonly startedMs: number;
  done: number;
}

export interface Tasks {
  begin(task: ProgressTask, nowMs: number): void;
  advance(id: string, done: number): void;
  /** The line that tells how it ended; undefined for a task that never began. */
  end(id: string, nowMs: number, note?: string): string | undefined;
  /** One line for each running task, oldest first. */
  lines(nowMs: number): readonly string[];
}

export function createTasks(): Tasks {
  const running = new Map<string, Running>();
  return {
    begin: (task, nowMs) => {
      running.set(task.id, { ...task, startedMs: nowMs, done: 0 });
    },
    advance: (id, done) => {
      const task = running.get(id);
      if (task) task.done = done;
    },
    end: (id, nowMs, note) => {
      const task = running.get(id);
      if (!task) return undefined;
      running.delete(id);
      return `${task.title}: ${note ?? 'done'} (${duration(nowMs - task.startedMs)})`;
    },
    lines: (nowMs) => [...running.values()].map((task) => describe(task, nowMs)),
  };
}

function describe(task: Running, nowMs: number): string {
  const elapsed = nowMs - task.startedMs;
  const counted = task.total === undefined ? '' : ` ${Math.min(task.done, task.total)}/${task.total}`;
  return `${task.title}${counted}  ${duration(elapsed)}${timeLeft(task, elapsed)}`;
}

/** From the estimate; where there is none, from how far the steps have come. Past its time it says nothing. */
function timeLeft(task: Running, elapsedMs: number): string {
  const share = task.total === undefined || task.total === 0 ? 0 : task.done / task.total;
  const expected = task.estimateMs ?? (share > 0.1 ? elapsedMs / share : undefined);
  if (expected === undefined || expected <= elapsedMs) return '';
  return `, about ${duration(expected - elapsedMs)} left`;
}
