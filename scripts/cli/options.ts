/**
 * Every command and every option of the command line, once. The flag, the environment variable and the YAML key of an
 * option all derive from its name, so that the three can't drift apart.
 */
import { limiterKinds } from '../../reference/settings/refusals.ts';
import { profiles } from '../../schemas/target.ts';

/** What each command does, as the help says it. */
export const commands = {
  verify: 'check the connection, the contract and the limits, and write a report',
  conformance: 'contract checks only; without a target, in-process on a virtual clock',
  load: 'load tests of the limits only',
  plan: 'print what a run would send, without sending it',
  distribute: 'write manifests with which many pods send the rate probes (k6-operator)',
  serve: 'serve the reference service (key: PROOFLOAD_ACCESS_KEY, else proofload-local)',
  report: 'render the report of a run again, or merge several runs',
  open: 'open the newest report, or the report of a directory, in a browser',
  diff: 'compare two runs: new, fixed and remaining failures',
  trend: 'trends of limits, latency and verdicts from the history file',
  init: 'write a commented proofload.yaml and its JSON Schema',
  doctor: 'diagnose Node, k6, cache, clock, ports, memory, keys and target',
} as const;
export type CommandName = keyof typeof commands;
export const commandNames = Object.keys(commands) as readonly CommandName[];

/** Of the command line: several values apart by commas, or by lines where they may hold commas themselves. */
export type OptionType = 'string' | 'url' | 'boolean' | 'count' | 'strings' | 'lines' | 'choice';

export interface OptionSpec<N extends string = string, T extends OptionType = OptionType> {
  /** The flag without its dashes. */
  readonly name: N;
  readonly type: T;
  readonly commands: readonly CommandName[];
  readonly describe: string;
  /** What may be given, for a choice. */
  readonly choices?: readonly string[];
  /** False where a configuration file can't set it. */
  readonly yaml?: false;
}

const option = <const N extends string, const T extends OptionType>(
  name: N,
  type: T,
  commands: readonly CommandName[],
  describe: string,
  more: Pick<OptionSpec, 'choices' | 'yaml'> = {},
): OptionSpec<N, T> => ({ name, type, commands, describe, ...more });

const runs: readonly CommandName[] = ['verify', 'conformance', 'load'];
const targeted: readonly CommandName[] = [...runs, 'plan', 'distribute'];
const about: readonly CommandName[] = [...targeted, 'doctor'];
const serve: readonly CommandName[] = ['serve'];
const noYaml = { yaml: false } as const;

export const options = [
  option('base-url', 'url', about, "interface A's address, without /v1"),
  option('job-base-url', 'url', about, "interface B's address, without /api/v1/sl"),
  option(
    'reference',
    'boolean',
    about,
    'verify the embedded reference; the default in a terminal when no address is given',
    noYaml,
  ),
  option('inst-id', 'strings', about, 'endpoint instance of interface B; may be repeated'),
  option('workers-max', 'count', [...about, 'serve'], 'WorkersMax of the endpoint instances; serve: of the first one'),
  option('model', 'string', about, 'model to request; default: the first one listed'),
  option('other-address', 'string', about, 'second local address, seen by the target as another client'),
  option('dedicated', 'boolean', about, 'the endpoints have no other users: their queues may be filled and purged'),
  option('profile', 'choice', targeted, 'scope of the run: smoke, gate (default) or nightly', { choices: profiles }),
  option('only', 'strings', targeted, "run only the checks whose id matches a glob, e.g. 'run.*,*.rate.*'"),
  option(
    'last-failed',
    'boolean',
    targeted,
    'run only the checks that failed or were inconclusive in the last run',
    noYaml,
  ),
  option(
    'out',
    'string',
    [...runs, 'distribute', 'report'],
    "the run's directory; default: a new one in proofload-report/",
  ),
  option(
    'config',
    'string',
    [...about, 'serve'],
    'YAML file with options; serve: settings below the key reference',
    noYaml,
  ),
  option('quiet', 'boolean', runs, 'print only the final summary', noYaml),
  option('json', 'boolean', [...targeted, 'report', 'diff', 'trend'], 'print the results as JSON on stdout', noYaml),
  option('strict', 'boolean', runs, 'exit 3 if nothing failed but a documented check was inconclusive or not tested'),
  option('once', 'boolean', targeted, 'do not retry inconclusive checks'),
  option(
    'runners',
    'count',
    ['verify', 'load', 'distribute'],
    'k6 processes, or pods, that send each rate probe together; default: 1',
  ),
  option('baseline', 'string', runs, 'YAML file of expected failures with their reasons'),
  option(
    'update-baseline',
    'boolean',
    runs,
    'write the failures of this run to the baseline; default: proofload-baseline.yaml',
    noYaml,
  ),
  option(
    'history',
    'string',
    [...runs, 'report', 'trend'],
    'history file, one line per run; default: proofload-report/history.ndjson',
  ),
  option('like', 'string', ['trend'], 'show runs with the parameters of this run; default: the newest'),
  option('port', 'count', serve, 'port to listen on; default: a free one'),
  option('host', 'string', serve, 'address to listen on; default: 127.0.0.1'),
  option('limiter', 'choice', serve, 'rate limiter: sliding (default), fixed, counter, token or off', {
    choices: limiterKinds,
  }),
  option('limits', 'boolean', serve, '--no-limits turns off all limits: rates, concurrency, payload and queue'),
  option('latency', 'count', serve, 'delay before each answer, ms'),
  option('control', 'boolean', serve, 'also serve control routes below /_reference'),
  option('set', 'lines', serve, 'set a setting of the reference, NAME=VALUE; may be repeated'),
  option('settings', 'boolean', serve, 'print all settings and exit'),
  option('mutant', 'strings', serve, 'inject a fault by name; may be repeated'),
] as const;

export type OptionName = (typeof options)[number]['name'];

/** The keys a secret is taken from. They have an environment variable and, as `${NAME}`, a YAML key; never a flag. */
export const secrets = ['access-key', 'job-key', 'broke-key', 'other-key'] as const;
export type SecretName = (typeof secrets)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** `base-url` -> `PROOFLOAD_BASE_URL`. */
export function environmentName(name: string): string {
  return `PROOFLOAD_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** `base-url` -> `baseUrl`. */
export function yamlKey(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function optionsOf(command: CommandName): readonly OptionSpec<OptionName>[] {
  return options.filter((one) => one.commands.includes(command));
}
