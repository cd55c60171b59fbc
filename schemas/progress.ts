/** How a long piece of work reports its progress; the terminal, a log and the tests each show it in their own way. */

export interface ProgressTask {
  readonly id: string;
  readonly title: string;
  /** Expected duration, ms, where it can be known beforehand. */
  readonly estimateMs?: number;
  /** Number of steps, where they can be counted. */
  readonly total?: number;
}

export interface Progress {
  begin(task: ProgressTask): void;
  advance(id: string, done: number): void;
  end(id: string, note?: string): void;
  note(line: string): void;
}

export const silent: Progress = { begin() {}, advance() {}, end() {}, note() {} };
