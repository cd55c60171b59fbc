/** What becomes of large bodies under each of these faults, without load: so that it is the fault that the load finds. */
import { expect, test } from 'vitest';
import { applyMutants } from '../mutants.ts';
import { harness } from '../testing/harness.ts';

const MORE = 'a'.repeat(1_100_000);

test('a cut input keeps what began within its first megabyte', async () => {
  const one = harness(applyMutants(harness().options, ['run-payload-cut-short']));
  const whole = await one.job('runsync', { body: { input: { pad: MORE, echo: 'end' } } });
  expect(whole.body).toMatchObject({ output: 'end' });
  const jobId = await one.submit({ pad: MORE, echo: 'end' });
  await one.clock.sleep(1000);
  const cut = await one.job('status', { jobId });
  expect(JSON.stringify(cut.body)).not.toContain('end"');
});

test('a job that is refused too late is one all the same', async () => {
  const one = harness(applyMutants(harness().options, ['run-payload-refused-too-late']));
  const large = { input: { pad: 'a'.repeat(10_485_761) } };
  expect((await one.job('run', { body: large })).status).toBe(413);
  await one.clock.sleep(1000);
  expect(JSON.stringify((await one.job('health')).body)).toContain('"completed":1');
});

test('a small body is not refused', async () => {
  const one = harness(applyMutants(harness().options, ['run-payload-refused-too-late', 'run-payload-by-length-only']));
  expect((await one.job('run', { body: { input: 1 } })).status).toBe(200);
});
