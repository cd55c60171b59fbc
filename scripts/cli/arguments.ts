/**
 * The words on the command line -> the command, its flags as raw values, its positional arguments. yargs reads them
 * and writes the help; what it would report about wrong flags we find first, to name the option and the remedy in one
 * line and never to repeat a value that could be a key.
 */
import type { Argv } from 'yargs';
import { UsageError } from '../../schemas/target.ts';
import { suiteVersion } from '../package.ts';
import {
  type CommandName,
  commandNames,
  commands,
  environmentName,
  type OptionName,
  type OptionSpec,
  optionsOf,
  secrets,
} from './options.ts';
import { suggestion } from './suggest.ts';
import type { RawOptions, Sourced } from './values.ts';

export type Invocation =
  | { readonly kind: 'print'; readonly text: string }
  | {
      readonly kind: 'run';
      readonly command: CommandName;
      readonly flags: RawOptions;
      readonly positionals: readonly string[];
    };

/** Flags that look like a place for a key, and the variable to use instead. */
const keyFlags: Readonly<Record<string, string>> = Object.fromEntries([
  ...['api-key', 'apikey', 'key', 'token', 'bearer', 'authorization', 'auth', 'password', 'secret'].map((name) => [
    name,
    environmentName('access-key'),
  ]),
  ...secrets.map((name) => [name, environmentName(name)]),
]);

/** Throws UsageError on an unknown command or flag, a flag without its value, and any attempt to pass a key. */
export async function parseArguments(words: readonly string[]): Promise<Invocation> {
  const command = words.flatMap((word) => commandNames.find((name) => name === word) ?? [])[0];
  const specs = command === undefined ? [] : optionsOf(command);
  refuseUnknownFlags(words, command, specs);
  // Loading yargs takes longer than starting the service, and a command by itself leaves it nothing to read.
  if (command !== undefined && words.length === 1) return { kind: 'run', command, flags: new Map(), positionals: [] };
  const { default: yargs } = await import('yargs');
  let output = '';
  const argv = await parser(yargs([...words])).parseAsync(
    [...words],
    {},
    (_error: unknown, _argv: unknown, text: string) => {
      output = text;
    },
  );
  if (output !== '') return { kind: 'print', text: output };
  if (command === undefined) {
    const given = String(argv._[0] ?? '');
    if (given === '') throw new UsageError(`no command; one of ${commandNames.join(', ')} (proofload --help)`);
    throw new UsageError(
      `unknown command '${given}'${suggestion(given, commandNames)} (proofload --help lists the commands)`,
    );
  }
  const flags = new Map<OptionName, Sourced>();
  for (const spec of specs) {
    const raw: unknown = argv[spec.name];
    if (raw !== undefined) flags.set(spec.name, { raw, source: `--${spec.name}` });
  }
  return { kind: 'run', command, flags, positionals: [argv.dir ?? [], argv._.slice(1)].flat().map(String) };
}

/** Directories or files; how many is the command's to say. */
export const takesPlaces = (command: CommandName): boolean => ['report', 'open', 'diff', 'trend'].includes(command);

function parser(bare: Argv): Argv {
  const cli = bare
    .scriptName('proofload')
    .usage('proofload COMMAND [options]')
    .locale('en')
    .version(suiteVersion())
    .help()
    .alias('help', 'h')
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof UsageError ? error : new UsageError(message.split('\n')[0] ?? 'bad command line');
    })
    .parserConfiguration({ 'camel-case-expansion': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .epilogue(
      'Options can also be set in the environment (--base-url is PROOFLOAD_BASE_URL) or in the YAML ' +
        `file of --config (baseUrl). Keys: ${secrets.map(environmentName).join(', ')}.`,
    );
  for (const name of commandNames) {
    cli.command(`${name}${takesPlaces(name) ? ' [dir..]' : ''}`, commands[name], (builder) => {
      for (const { name: flag, type, describe } of optionsOf(name)) {
        const isSwitch = type === 'boolean';
        builder.option(flag, { type: isSwitch ? 'boolean' : 'string', describe, requiresArg: !isSwitch });
      }
      return builder;
    });
  }
  return cli;
}

function refuseUnknownFlags(words: readonly string[], command: string | undefined, specs: readonly OptionSpec[]): void {
  const booleans = specs.filter((spec) => spec.type === 'boolean').map((spec) => `no-${spec.name}`);
  const known = ['help', 'version', ...specs.map((spec) => spec.name)];
  for (const word of words) {
    if (word === '--') return;
    const flag = /^--?([A-Za-z][^=]*)/.exec(word)?.[1];
    if (flag === undefined || (word === '-h' && flag === 'h')) continue;
    const variable = keyFlags[flag.toLowerCase()];
    if (variable !== undefined) {
      throw new UsageError(`--${flag}: a key on the command line shows in process lists; set ${variable} instead`);
    }
    if (word.startsWith('--') && (known.includes(flag) || booleans.includes(flag))) continue;
    const hint = suggestion(flag, [...known, ...Object.keys(keyFlags)], '--');
    const where = command === undefined ? '' : ` for ${command}`;
    throw new UsageError(`unknown option ${word.startsWith('--') ? '--' : '-'}${flag}${where}${hint} (see --help)`);
  }
}
