/**
 * How a run shows what it does: on a terminal a block that is redrawn, elsewhere one line when something begins and
 * one when it ends, with `--quiet` nothing.
 */
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';
import { type Progress, type ProgressTask, silent } from '../schemas/progress.ts';
import { duration } from '../schemas/thousands.ts';
import { createTasks } from './progress-lines.ts';

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
