import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { settings } from '../../src/platform/config.ts';
import { runAttribution } from '../attribution-process.ts';
import { runInProcess } from '../run-in-process.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('settings', () => {
  test.each([
    ['PORT', '80a', 'PORT must be a whole number from 0 to 65535 (it is "80a")'],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")',
    ],
    ['DATABASE_PREPARED_STATEMENTS', 'no', 'DATABASE_PREPARED_STATEMENTS must be true or false (it is "no")'],
    ['RECORD_LANES', '0', 'RECORD_LANES must be a whole number from 1 to 32 (it is "0")'],
    [
      'DATABASE_URL',
      'db.example:5432/shop',
      'DATABASE_URL must look like postgres://user:password@host:5432/database',
    ],
    [
      'DATABASE_URL',
      'mysql://u:hunter2@db/shop',
      'DATABASE_URL must look like postgres://user:password@host:5432/database',
    ],
  ])('an invalid %s (%s) is named', async (name, value, message) => {
    const outcome = await runInProcess(['serve'], { environment: { [name]: value } });
    expect(outcome).toEqual({ code: 2, signal: null, stdout: '', stderr: `${message}\n` });
  });

  test('all invalid settings are named at once', async () => {
    const environment = { PORT: '-1', REQUEST_TIMEOUT_SECONDS: 'x', SHUTDOWN_TIMEOUT_SECONDS: '0' };
    const { code, stderr } = await runAttribution(['doctor'], { environment });
    expect(code).toBe(2);
    for (const name of Object.keys(environment)) expect(stderr).toMatch(new RegExp(`^${name} must`, 'm'));
  });

  test('docs/configuration.md lists every setting', () => {
    const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
    for (const { name } of Object.values(settings)) expect(page).toContain(`\`${name}\``);
  });
});

describe('arguments', () => {
  test('version', async () => {
    const text = await runAttribution(['version']);
    expect(text).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `attribution ${version} (Node ${process.version}; it can upgrade databases from version 0.1.0 and later)\n`,
    });
    expect(await runAttribution(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const json = await runAttribution(['version', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ version, node: process.version, upgradesFrom: '0.1.0' });
  });

  const commands = [
    [[], ['serve', 'migrate', 'provision', 'keys', 'doctor', 'version']],
    [['serve'], ['DATA_DIR']],
    [['migrate'], ['--json']],
    [['provision'], ['<file>', '--json', 'docs/program-file.md']],
    [['keys'], ['create', 'list', 'rotate', 'revoke']],
    [
      ['keys', 'create'],
      ['--publisher <id>', '--kind', '--name', '--group', '--expires', '--json'],
    ],
    [
      ['keys', 'list'],
      ['--publisher <id>', '--json'],
    ],
    [
      ['keys', 'rotate'],
      ['<keyId>', '--publisher <id>', '--overlap-hours', '--json'],
    ],
    [
      ['keys', 'revoke'],
      ['<keyId>', '--publisher <id>', '--json'],
    ],
    [['doctor'], ['--json']],
  ] as const;
  test.each(commands)('%j --help', async (words, named) => {
    const { code, stdout, stderr } = await runInProcess([...words, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${['npx attribution', ...words].join(' ')}`);
    for (const each of named) expect(stdout).toContain(each);
  });

  test.each([
    [['sreve'], "unknown command 'sreve'"],
    [['serve', '--prot', '1'], "unknown option '--prot'"],
    [['serve', 'now'], 'too many arguments'],
    [['provision'], "missing required argument 'file'"],
    [['keys', 'create', '--kind', 'secret', '--name', 'n'], '--publisher'],
    [['keys', 'create', '--publisher', 'p', '--kind', 'open', '--name', 'n'], 'secret, public'],
    [['keys', 'rotate', '--publisher', 'p', 'key_1', '--overlap-hours', '721'], '1 to 720'],
    [['keys', 'rotate', '--publisher', 'p', 'key_1', '--overlap-hours', '1e1'], '1 to 720'],
    [['keys', 'revoke', '--publisher', 'p'], "missing required argument 'keyId'"],
  ])('%j is rejected with code 2 and a hint', async (words, named) => {
    const { code, stdout, stderr } = await runInProcess(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(named);
    expect(stderr).toContain('--help');
  });

  test('running without arguments shows the help and exits with code 2', async () => {
    const { code, stderr } = await runAttribution([]);
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: npx attribution');
  });
});
