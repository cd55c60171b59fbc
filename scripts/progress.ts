/**
 * How a run shows what it does: on a terminal a block that is redrawn, elsewhere one line when something begins and
 * one when it ends, with `--quiet` nothing.
 */
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';
import { type Progress, type ProgressTask, silent } from '../schemas/progress.ts';
import { duration } from '../schemas/thousands.ts';

// What a run is doing, as state and as text: pure, so that the two ways of showing it can be tested without a screen.

interface Running extends ProgressTask {
  readonly startedMs: number;
  done: number;
}

interface Tasks {
  begin(task: ProgressTask, nowMs: number): void;
  advance(id: string, done: number): void;
  /** The line about its end; undefined for a task that never began. */
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

export interface TerminalProgress extends Progress {
  /** Takes the live block away; to be called before anything else is printed. */
  close(): void;
}

export interface ProgressOptions {
  readonly quiet: boolean;
  /** Monotonic time, ms. */
  readonly now?: () => number;
}

const REDRAW_MS = 250;

export function createProgress(stream: NodeJS.WriteStream, options: ProgressOptions): TerminalProgress {
  const now = options.now ?? (() => performance.now());
  if (options.quiet) return { ...silent, close() {} };
  return stream.isTTY ? live(stream, now) : plain(stream, now);
}

function plain(stream: NodeJS.WritableStream, now: () => number): TerminalProgress {
  const tasks = createTasks();
  const write = (line: string): void => void stream.write(`${line}\n`);
  return {
    begin: (task) => {
      tasks.begin(task, now());
      write(announce(task));
    },
    advance: tasks.advance,
    end: (id, note) => {
      const line = tasks.end(id, now(), note);
      if (line !== undefined) write(line);
    },
    note: write,
    close() {},
  };
}

function announce(task: ProgressTask): string {
  return task.estimateMs === undefined ? `${task.title} ...` : `${task.title} ... (about ${duration(task.estimateMs)})`;
}

function live(stream: NodeJS.WriteStream, now: () => number): TerminalProgress {
  const tasks = createTasks();
  const block = createLogUpdate(stream);
  const frames = ['|', '/', '-', '\\'];
  let frame = 0;
  const draw = (): void => {
    frame += 1;
    const lines = tasks.lines(now()).map((line) => `${pc.cyan(frames[frame % frames.length] ?? '')} ${line}`);
    if (lines.length === 0) block.clear();
    else block(lines.join('\n'));
  };
  const above = (line: string): void => {
    block.clear();
    stream.write(`${line}\n`);
    draw();
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    begin: (task) => {
      tasks.begin(task, now());
      draw();
    },
    advance: tasks.advance,
    end: (id, note) => {
      const line = tasks.end(id, now(), note);
      if (line !== undefined) above(`${pc.dim('-')} ${line}`);
    },
    note: above,
    close: () => {
      clearInterval(timer);
      block.clear();
      block.done();
    },
  };
}
