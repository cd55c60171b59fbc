import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { parseArguments } from './arguments.ts';

const parse = (line: string) => parseArguments(line.split(' ').filter((word) => word !== ''));

async function complaint(line: string): Promise<string> {
  const error = await parse(line).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  const message = error instanceof Error ? error.message : '';
  expect(message.split('\n').length).toBeLessThanOrEqual(2);
  return message;
}

test('reads a command with its flags as raw values that know where they came from', async () => {
  const invocation = await parse('verify --base-url http://a --inst-id one --inst-id two --dedicated');
  expect(invocation).toMatchObject({ kind: 'run', command: 'verify', positionals: [] });
  if (invocation.kind !== 'run') return;
  expect(Object.fromEntries(invocation.flags)).toEqual({
    'base-url': { raw: 'http://a', source: '--base-url' },
    'inst-id': { raw: ['one', 'two'], source: '--inst-id' },
    dedicated: { raw: true, source: '--dedicated' },
  });
});

test('--flag=value and --no-flag are understood', async () => {
  const invocation = await parse('serve --port=8080 --no-limits');
  if (invocation.kind !== 'run') throw new Error('expected a command to run');
  expect(invocation.flags.get('port')?.raw).toBe('8080');
  expect(invocation.flags.get('limits')?.raw).toBe(false);
});

test('report takes its directory as a positional argument', async () => {
  expect(await parse('report proofload-report/latest')).toMatchObject({ positionals: ['proofload-report/latest'] });
});

test.each(['--help', 'verify --help', 'serve -h', '--version'])('%s prints and runs nothing', async (line) => {
  expect(await parse(line)).toMatchObject({ kind: 'print' });
});

test('the help of a command lists exactly its options', async () => {
  const help = await parse('serve --help');
  const text = help.kind === 'print' ? help.text : '';
  expect(text).toContain('--mutant');
  expect(text).not.toContain('--base-url');
});

test('an unknown flag is named, with the one that was probably meant', async () => {
  expect(await complaint('verify --bas-url http://a')).toBe(
    "unknown option --bas-url for verify; did you mean '--base-url'? (see --help)",
  );
});

test('a flag of another command is unknown here', async () => {
  expect(await complaint('verify --mutant queue-or')).toContain('unknown option --mutant for verify');
});

test('an unknown command is named, with the one that was probably meant', async () => {
  expect(await complaint('verfy')).toContain("unknown command 'verfy'; did you mean 'verify'?");
});

test('no command at all names the commands', async () => {
  expect(await complaint('')).toContain('verify, conformance, load, plan, distribute, serve, report');
});

test('a flag without its value is named', async () => {
  expect(await complaint('verify --out')).toContain('out');
});

test.each([
  ['--access-key', 'PROOFLOAD_ACCESS_KEY'],
  ['--job-key', 'PROOFLOAD_JOB_KEY'],
  ['--broke-key', 'PROOFLOAD_BROKE_KEY'],
  ['--other-key', 'PROOFLOAD_OTHER_KEY'],
  ['--api-key', 'PROOFLOAD_ACCESS_KEY'],
  ['--token', 'PROOFLOAD_ACCESS_KEY'],
])('%s is refused in favour of %s, and its value never repeated', async (flag, variable) => {
  for (const line of [`verify ${flag} sk-very-secret`, `verify ${flag}=sk-very-secret`]) {
    const message = await complaint(line);
    expect(message).toContain(variable);
    expect(message).not.toContain('sk-very-secret');
  }
});

test('a misspelt key flag never repeats its value either', async () => {
  for (const line of ['verify --acces-key=sk-very-secret', 'verify --acces-key sk-very-secret']) {
    const message = await complaint(line);
    expect(message).toContain("did you mean '--access-key'?");
    expect(message).not.toContain('sk-very-secret');
  }
});
