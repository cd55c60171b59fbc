import { expect, test } from 'vitest';
import { k6Arguments, k6Environment } from './k6-process.ts';

test('nothing of the user that could change the load gets to k6, and no key of another role', () => {
  const inherited = {
    PATH: '/bin',
    K6_VUS: '5',
    k6_rps: '1',
    PROOFLOAD_BROKE_KEY: 'x',
    HTTP_PROXY: 'p',
    GONE: undefined,
  };
  expect(k6Environment(inherited, { TARGET_KEY: 'k' })).toEqual({
    GOGC: '400',
    GOMEMLIMIT: '512MiB',
    PATH: '/bin',
    HTTP_PROXY: 'p',
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    TARGET_KEY: 'k',
  });
});

test("the collector's settings are a default: who sets them knows the machine", () => {
  expect(k6Environment({ GOGC: '50', GOMEMLIMIT: '2GiB' }, {})).toMatchObject({ GOGC: '50', GOMEMLIMIT: '2GiB' });
});

test('the command line names files only', () => {
  const line = k6Arguments({ script: 's.js', ledgerFile: 'l', configFile: 'c' });
  expect(line[0]).toBe('run');
  expect(line.at(-1)).toBe('s.js');
  expect(line).toEqual(expect.arrayContaining(['--no-usage-report', '--console-output', 'l', '--config', 'c']));
});
