/**
 * Runs the selected checks under vitest, from a program: in a thread of its own, from compiled files inside an
 * installed package as well as from a checkout, and without output on the terminal.
 */
import { dirname, extname } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Amount } from '../../schemas/results.ts';
import type { Credentials } from '../../schemas/target.ts';
import type { Recent } from '../target/budget.ts';
import { toEnvironment } from '../target/credentials.ts';
import { STOP, type SuiteInput, stopChannel } from './provided.ts';

/** Collects facts from the meta data of finished tests, and prints nothing. */
class FactsReporter implements Reporter {
  readonly facts: CheckFacts[] = [];
  sent: Amount = { requests: 0, bytes: 0 };
  /** As it was when the last check ended. */
  lately: readonly Recent[] = [];
  /** Errors outside the checks: of the whole file, or without any known place. */
  readonly errors: string[] = [];
  readonly #onFacts: (done: number) => void;
  readonly #onStart: () => void;

  constructor(onFacts: (done: number) => void, onStart: () => void) {
    this.#onFacts = onFacts;
    this.#onStart = onStart;
  }

  onInit(): void {
    this.#onStart();
  }

  onTestCaseResult(test: TestCase): void {
    const { facts, sent, lately } = test.meta() as { facts?: CheckFacts; sent?: Amount; lately?: readonly Recent[] };
    if (sent && sent.requests > this.sent.requests) this.sent = sent;
    if (lately) this.lately = lately;
    if (!facts) return;
    this.facts.push(facts);
    this.#onFacts(this.facts.length);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message?: string }[]): void {
    const broken = [...modules.flatMap((one) => one.errors()), ...unhandled];
    for (const error of broken) this.errors.push(error.message ?? String(error));
  }
}

const HERE = fileURLToPath(import.meta.url);
/** `.js` when compiled, `.ts` when a checkout's own tests run it. */
const SUITE = `contract.suite${extname(HERE)}`;

/** All of ours but the file with the tests, which vitest has to read itself. */
const COMPILED = /\/(?:conformance|reference|schemas)\/(?!.*\.suite\.js$).*\.js$/;

const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Sets variables for the length of some work and puts back what was there. */
async function withEnvironment<T>(variables: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const listening = () => SIGNALS.map((signal) => ({ signal, listeners: process.listeners(signal) }));

/**
 * Removes the listeners that the runner has added to the signals: they would end this process at once, before anything
 * was cleaned up or reported. What a signal means here is up to the caller.
 */
function keepSignals(before: ReturnType<typeof listening>): void {
  for (const { signal, listeners } of before) {
    for (const one of process.listeners(signal)) if (!listeners.includes(one)) process.off(signal, one);
  }
}

/**
 * Stops the checks when the signal is aborted, also those that begin to listen after that. vitest's own way of
 * cancelling forgets tests that run side by side as soon as the first of them has ended.
 */
function stopping(runId: string, signal: AbortSignal) {
  const channel = stopChannel(runId);
  const stop = (): void => {
    if (signal.aborted) channel.postMessage(STOP);
  };
  channel.onmessage = stop;
  signal.addEventListener('abort', stop);
  return {
    close: (): void => {
      signal.removeEventListener('abort', stop);
      channel.close();
    },
  };
}

export interface VitestRun {
  readonly input: SuiteInput;
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
  readonly onFacts: (done: number) => void;
}

export interface Collected {
  readonly facts: readonly CheckFacts[];
  readonly sent: Amount;
  /** Of each budget, so lately before the end that it may still count. */
  readonly lately: readonly Recent[];
}

/**
 * Resolves with the facts of every check that finished, also when the signal ended the run before all had.
 *
 * @throws Error when vitest could not run the checks at all.
 */
export async function runUnderVitest({ input, credentials, signal, onFacts }: VitestRun): Promise<Collected> {
  const { startVitest } = await import('vitest/node');
  const before = listening();
  const reporter = new FactsReporter(onFacts, () => keepSignals(before));
  const { close } = stopping(input.runId, signal);
  const { exitCode } = process;
  const root = dirname(HERE);
  // Threads copy the environment when they start, and the keys are nowhere else.
  const environment = {
    ...toEnvironment(credentials),
    VITEST: 'true',
    TEST: 'true',
    NODE_ENV: process.env.NODE_ENV ?? 'test',
  };
  try {
    await withEnvironment(environment, () =>
      startVitest(
        'test',
        [],
        {
          root,
          config: false,
          watch: false,
          include: [SUITE],
          exclude: [],
          pool: 'threads',
          maxWorkers: 1,
          isolate: false,
          fileParallelism: false,
          // Each test waits for its check from the beginning.
          maxConcurrency: 10_000,
          testTimeout: 0,
          hookTimeout: 0,
          teardownTimeout: 1000,
          cache: false,
          // What is compiled already is loaded as it is: transforming hundreds of files again takes longer than the checks.
          ...(extname(HERE) === '.js' ? { server: { deps: { external: [COMPILED] } } } : {}),
          reporters: [reporter],
          provide: { proofload: input },
        },
        { logLevel: 'silent' },
        { stdout: silent() as NodeJS.WriteStream, stderr: silent() as NodeJS.WriteStream },
      ),
    );
  } finally {
    close();
    process.exitCode = exitCode;
  }
  if (reporter.errors.length > 0 && !signal.aborted) {
    throw new Error(`the contract checks could not be run: ${reporter.errors[0]}`);
  }
  return { facts: reporter.facts, sent: reporter.sent, lately: reporter.lately };
}
