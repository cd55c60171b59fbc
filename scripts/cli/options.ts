/**
 * Every option of the command line, once. The flag, the environment variable and the YAML key of an option all derive
 * from its name, so that the three can't drift apart.
 */
import { limiterKinds } from '../../reference/options.ts';
import { profiles } from '../../schemas/target.ts';

export type OptionType = 'string' | 'url' | 'boolean' | 'count' | 'strings' | 'lines' | 'choice';

export interface OptionSpec {
  /** The flag without its dashes. */
  readonly name: string;
  readonly type: OptionType;
  /** What may be given, for a choice. */
  readonly choices?: readonly string[];
  readonly describe: string;
  readonly commands: readonly CommandName[];
  /** False where a configuration file can't set it. */
  readonly yaml?: false;
}

export const commandNames = [
  'verify',
  'conformance',
  'load',
  'plan',
  'distribute',
  'serve',
  'report',
  'open',
  'diff',
  'trend',
  'init',
  'doctor',
] as const;
export type CommandName = (typeof commandNames)[number];

const runs: readonly CommandName[] = ['verify', 'conformance', 'load'];
const targeted: readonly CommandName[] = [...runs, 'plan', 'distribute'];
const about: readonly CommandName[] = [...targeted, 'doctor'];

export const options = [
  {
    name: 'base-url',
    type: 'url',
    describe: "interface A's address, without /v1",
    commands: about,
  },
  {
    name: 'job-base-url',
    type: 'url',
    describe: "interface B's address, without /api/v1/sl",
    commands: about,
  },
  {
    name: 'reference',
    type: 'boolean',
    describe: 'verify the embedded reference; the default in a terminal when no address is given',
    commands: about,
    yaml: false,
  },
  {
    name: 'inst-id',
    type: 'strings',
    describe: 'endpoint instance of interface B; may be repeated',
    commands: about,
  },
  {
    name: 'workers-max',
    type: 'count',
    describe: 'WorkersMax of the endpoint instances; serve: of the first one',
    commands: [...about, 'serve'],
  },
  { name: 'model', type: 'string', describe: 'model to request; default: the first one listed', commands: about },
  {
    name: 'other-address',
    type: 'string',
    describe: 'second local address, seen by the target as another client',
    commands: about,
  },
  {
    name: 'dedicated',
    type: 'boolean',
    describe: 'the endpoints have no other users: their queues may be filled and purged',
    commands: about,
  },
  {
    name: 'profile',
    type: 'choice',
    choices: profiles,
    describe: 'scope of the run: smoke, gate (default) or nightly',
    commands: targeted,
  },
  {
    name: 'only',
    type: 'strings',
    describe: "run only the checks whose id matches a glob, e.g. 'run.*,*.rate.*'",
    commands: targeted,
  },
  {
    name: 'last-failed',
    type: 'boolean',
    describe: 'run only the checks that failed or were inconclusive in the last run',
    commands: targeted,
    yaml: false,
  },
  {
    name: 'out',
    type: 'string',
    describe: "the run's directory; default: a new one in proofload-report/",
    commands: [...runs, 'distribute', 'report'],
  },
  {
    name: 'config',
    type: 'string',
    describe: 'YAML file with options; serve: settings below the key reference',
    commands: [...about, 'serve'],
    yaml: false,
  },
  { name: 'quiet', type: 'boolean', describe: 'print only the final summary', commands: runs, yaml: false },
  {
    name: 'json',
    type: 'boolean',
    describe: 'print the results as JSON on stdout',
    commands: [...targeted, 'report', 'diff', 'trend'],
    yaml: false,
  },
  {
    name: 'strict',
    type: 'boolean',
    describe: 'exit 3 if nothing failed but a documented check was inconclusive or not tested',
    commands: runs,
  },
  {
    name: 'once',
    type: 'boolean',
    describe: 'do not retry inconclusive checks',
    commands: targeted,
  },
  {
    name: 'runners',
    type: 'count',
    describe: 'k6 processes, or pods, that send each rate probe together; default: 1',
    commands: ['verify', 'load', 'distribute'],
  },
  {
    name: 'baseline',
    type: 'string',
    describe: 'YAML file of expected failures with their reasons',
    commands: runs,
  },
  {
    name: 'update-baseline',
    type: 'boolean',
    describe: 'write the failures of this run to the baseline; default: proofload-baseline.yaml',
    commands: runs,
    yaml: false,
  },
  {
    name: 'history',
    type: 'string',
    describe: 'history file, one line per run; default: proofload-report/history.ndjson',
    commands: [...runs, 'report', 'trend'],
  },
  {
    name: 'like',
    type: 'string',
    describe: 'show runs with the parameters of this run; default: the newest',
    commands: ['trend'],
  },
  { name: 'port', type: 'count', describe: 'port to listen on; default: a free one', commands: ['serve'] },
  { name: 'host', type: 'string', describe: 'address to listen on; default: 127.0.0.1', commands: ['serve'] },
  {
    name: 'limiter',
    type: 'choice',
    choices: limiterKinds,
    describe: 'rate limiter: sliding (default), fixed, counter, token or off',
    commands: ['serve'],
  },
  {
    name: 'limits',
    type: 'boolean',
    describe: '--no-limits turns off all limits: rates, concurrency, payload and queue',
    commands: ['serve'],
  },
  { name: 'latency', type: 'count', describe: 'delay before each answer, ms', commands: ['serve'] },
  {
    name: 'control',
    type: 'boolean',
    describe: 'also serve control routes below /_reference',
    commands: ['serve'],
  },
  {
    name: 'set',
    type: 'lines',
    describe: 'set a setting of the reference, NAME=VALUE; may be repeated',
    commands: ['serve'],
  },
  { name: 'settings', type: 'boolean', describe: 'print all settings and exit', commands: ['serve'] },
  { name: 'mutant', type: 'strings', describe: 'inject a fault by name; may be repeated', commands: ['serve'] },
] as const satisfies readonly OptionSpec[];

export type OptionName = (typeof options)[number]['name'];

/** The keys a secret is taken from. They have an environment variable and, as `${NAME}`, a YAML key; never a flag. */
export const secrets = ['access-key', 'job-key', 'broke-key', 'other-key'] as const;
export type SecretName = (typeof secrets)[number];

/** `base-url` -> `PROOFLOAD_BASE_URL`. */
export function environmentName(name: string): string {
  return `PROOFLOAD_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** `base-url` -> `baseUrl`. */
export function yamlKey(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function optionsOf(command: CommandName): readonly OptionSpec[] {
  const all: readonly OptionSpec[] = options;
  return all.filter((one) => one.commands.includes(command));
}
