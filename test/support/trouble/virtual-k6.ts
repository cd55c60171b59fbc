/**
 * k6 as its scripts see it, in a world without time. The scripts are the real ones: a test hands these to `vi.mock` in
 * place of k6's modules, imports the script and gets the ledger that it leaves.
 */
import { withClockStep } from '../../../scenarios/execute/clock-watch.ts';
import { separateOwnJobs } from '../../../scenarios/execute/own-jobs.ts';
import { encodeLost } from '../../../schemas/ledger-machine.ts';
import { chance, type TargetAnswer, type TargetRequest, type World, type WorldTrouble } from './virtual-world.ts';

interface Params {
  readonly timeout?: number;
  readonly responseType?: string;
}

const KILLED = Symbol('the sender is killed');
/** More lines than any probe leaves: a script that goes on for ever is a fault of its own. */
const MOST_LINES = 20_000;
const TIMEOUT_CODE = 1050;
const RESET_CODE = 1220;
const DEFAULT_TIMEOUT_MS = 60_000;

export class VirtualK6 {
  readonly lines: string[] = [];
  #world: World | undefined;
  #killedMs = Number.POSITIVE_INFINITY;

  /** Starts from zero in this world. */
  enter(world: World, trouble: WorldTrouble): void {
    this.#world = world;
    this.#killedMs = trouble.kind === 'killed' ? trouble.atMs : Number.POSITIVE_INFINITY;
    this.lines.length = 0;
  }

  get world(): World {
    if (!this.#world) throw new Error('a script was started outside of any world');
    return this.#world;
  }

  /** Stands in for `console.log`, which scripts keep. */
  readonly log = (line: string): void => {
    this.lines.push(line);
    if (this.lines.length > MOST_LINES) throw new Error('the script does not end');
  };

  readonly k6 = { sleep: (seconds: number): void => this.#pass(seconds * 1000) };

  readonly execution = {
    instance: this.#instance(),
    scenario: { iterationInTest: 0 },
    test: {
      abort: (why: string): never => {
        throw new Error(why);
      },
    },
  };

  readonly http = {
    default: {
      setResponseCallback: (): void => {},
      expectedStatuses: (): void => {},
      request: (method: string, url: string, body: string | ArrayBuffer | null, params: Params) => {
        const answer = this.#limited(this.world.send(requestOf(method, url, body)), params);
        this.#pass(answer.atMs - this.world.nowMs);
        return response(answer, params);
      },
      batch: (all: readonly { method: string; url: string; body: string | null; params: Params }[]) => {
        const answers = all.map(({ method, url, body, params }) =>
          this.#limited(this.world.send(requestOf(method, url, body)), params),
        );
        this.#pass(Math.max(...answers.map(({ atMs }) => atMs)) - this.world.nowMs);
        return answers.map((answer, index) => response(answer, all[index]?.params ?? {}));
      },
      asyncRequest: (method: string, url: string, body: string | null, params: Params) => {
        const answer = this.#limited(this.world.send(requestOf(method, url, body)), params);
        return new Promise((resolve) => this.world.at(answer.atMs, () => resolve(response(answer, params))));
      },
    },
  };

  /** Stands in for the timers of a script that waits for a promise. */
  readonly setTimeout = (go: () => void, ms: number): void => {
    this.#pass(ms);
    setImmediate(go);
  };

  /** The ledger of a script that ran to its end, or was killed on the way. Rejects with faults of the script. */
  async ledger(run: () => Promise<void>, trouble: WorldTrouble): Promise<string> {
    let killed = false;
    try {
      await run();
    } catch (error) {
      if (!String(error).includes(String(KILLED.description))) throw error;
      killed = true;
    }
    const { ledger } = separateOwnJobs(this.lines.join('\n'));
    const lines = ledger.split('\n').filter((line) => !(killed && line.startsWith('{"mark":"end"')));
    return damaged(lines, trouble, this.world.clockMs - this.world.nowMs);
  }

  #instance() {
    const clock = (): number => this.world.clockMs;
    return {
      get currentTestRunDuration(): number {
        return clock();
      },
    };
  }

  #pass(ms: number): void {
    if (this.world.nowMs + ms >= this.#killedMs) throw new Error(KILLED.description);
    this.world.pass(ms);
  }

  #limited(answer: TargetAnswer, { timeout = DEFAULT_TIMEOUT_MS }: Params): TargetAnswer & { timedOut: boolean } {
    const untilMs = this.world.nowMs + timeout;
    return answer.atMs <= untilMs
      ? { ...answer, timedOut: false }
      : { status: 0, body: '', atMs: untilMs, timedOut: true };
  }
}

function response({ status, body, timedOut }: TargetAnswer & { timedOut: boolean }, { responseType }: Params) {
  return {
    status,
    body: responseType === 'text' ? body : null,
    error: status === 0 ? 'read: connection reset by peer' : '',
    error_code: status === 0 ? (timedOut ? TIMEOUT_CODE : RESET_CODE) : 0,
    headers: {},
    timings: { blocked: 0, receiving: 0, sending: 0, waiting: 0 },
  };
}

export function requestOf(method: string, url: string, body: string | ArrayBuffer | null): TargetRequest {
  const { pathname, searchParams } = new URL(url);
  const [, operation = '', jobId = ''] = pathname.split('/api/v1/sl/')[1]?.split('/') ?? [];
  const wait = searchParams.get('wait');
  const bytes = body instanceof ArrayBuffer ? body.byteLength : (body ?? '').length;
  const text = body instanceof ArrayBuffer ? new TextDecoder().decode(body) : (body ?? '');
  return { method, operation, jobId, waitMs: wait === null ? null : Number(wait), body: text, bytes };
}

/** What becomes of the lines: the marks are written again by the executor, which has a clock of its own. */
function damaged(lines: readonly string[], trouble: WorldTrouble, stepMs: number): string {
  const isEntry = (line: string): boolean => line.startsWith('[');
  switch (trouble.kind) {
    case 'full': {
      const [first, ...others] = lines;
      const kept = others.filter((_, index) => index < trouble.from || index >= trouble.from + trouble.lines);
      const count = others.length - kept.length;
      const lost = count > 0 ? [encodeLost({ lines: count, why: 'no space left on device' })] : [];
      return [first, ...kept, ...lost, ''].join('\n');
    }
    case 'torn': {
      const unlucky = chance(trouble);
      const kept = lines.map((line) => (isEntry(line) && unlucky() ? line.slice(0, line.length / 2) : line));
      return `${kept.join('\n')}\n`;
    }
    case 'step':
      return withClockStep(`${lines.join('\n')}\n`, stepMs);
    default:
      return `${lines.join('\n')}\n`;
  }
}
