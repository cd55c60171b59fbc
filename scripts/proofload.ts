/**
 * The `proofload` command: reads the command line, starts what it names, turns every ending into an exit code and at
 * most two lines on stderr.
 */
import { UsageError } from '../schemas/target.ts';
import { parseArguments, takesPlaces } from './cli/arguments.ts';
import { readSettings, readValues } from './cli/settings.ts';
import { describeCrash, flush, type Host, isAttended, processHost } from './host.ts';
import { INTERRUPTED } from './run/interrupt.ts';

const UNUSABLE = 2;

/** Commands are imported when they are needed: `--help` and a typing mistake need none of them. */
async function execute(words: readonly string[], host: Host): Promise<number> {
  const invocation = await parseArguments(words);
  if (invocation.kind === 'print') {
    host.stdout.write(`${invocation.text}\n`);
    return 0;
  }
  const { command, flags, positionals } = invocation;
  if (!takesPlaces(command) && positionals.length > 0) {
    throw new UsageError(`unexpected argument '${positionals[0]}' for ${command} (see --help)`);
  }
  switch (command) {
    case 'verify':
    case 'conformance':
    case 'load': {
      const { runSession } = await import('./run/session.ts');
      return runSession(command, readSettings(command, flags, host.env, isAttended(host)), host);
    }
    case 'plan': {
      const { printPlan } = await import('./commands/plan.ts');
      return printPlan(readSettings(command, flags, host.env, isAttended(host)), host);
    }
    case 'distribute': {
      const { distribute } = await import('./commands/distribute.ts');
      return distribute(readSettings(command, flags, host.env), host);
    }
    case 'serve': {
      const { serveUntilStopped } = await import('./commands/serve.ts');
      return serveUntilStopped(flags, host);
    }
    case 'report': {
      const { rerenderReports } = await import('./commands/report.ts');
      return rerenderReports(positionals, flags, host);
    }
    case 'open': {
      const { openReport } = await import('./commands/open.ts');
      return openReport(positionals, host);
    }
    case 'init': {
      const { writeConfig } = await import('./commands/init.ts');
      return writeConfig(host);
    }
    case 'doctor': {
      const { diagnose } = await import('./commands/doctor.ts');
      return diagnose(flags, host);
    }
    case 'diff': {
      const { printDiff } = await import('./commands/diff.ts');
      return printDiff(positionals, readValues(command, flags, host.env), host);
    }
    case 'trend': {
      const { printTrend } = await import('./commands/trend.ts');
      return printTrend(positionals, readValues(command, flags, host.env), host);
    }
  }
}

/** One listener all along: between that of a run and another one put in its place, a signal would kill the process. */
function leaveOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const isAlone = process.listenerCount(signal) === 1;
      if (isAlone) process.exit(INTERRUPTED);
    });
  }
}

async function main(): Promise<number> {
  leaveOnSignals();
  const host = processHost();
  try {
    return await Promise.race([execute(process.argv.slice(2), host), host.fatal]);
  } catch (error) {
    host.stderr.write(error instanceof UsageError ? `proofload: ${error.message}\n` : describeCrash(error, host.env));
    return UNUSABLE;
  } finally {
    await flush(host);
  }
}

// Sockets of a target that hangs must not keep a finished run alive.
process.exit(await main());
