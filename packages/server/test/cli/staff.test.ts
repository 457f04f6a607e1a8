import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';

const service = useRunningService();
const run = (words: string[], input = '') =>
  runInProcess(words, { environment: { ...service().environment, PORT: '8080' }, input });
const staff = (...words: string[]) => run(['staff', ...words]);
const ask = async (path: string, body: unknown) => {
  const { origin } = new URL(service().server.url);
  const answer = await fetch(`${origin}/admin/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};

beforeAll(async () => {
  const demo = new URL('../../../../examples/demo-program.yaml', import.meta.url);
  expect(await run(['provision', '-'], readFileSync(demo, 'utf8'))).toMatchObject({ code: 0 });
});

test('a missing publisher has no staff to list', async () => {
  for (const words of [['list'], ['list', '--json'], ['remove', '--email', 'ines@example.com']])
    expect(await staff(...words, '--publisher', 'nobody')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no publisher nobody.'),
    });
});

test('the first owner joins by a printed link, resets the password, and cannot be removed as the last owner', async () => {
  const email = 'ines@example.com';
  const of = ['--publisher', 'aurora', '--email', email];
  const password = 'several words make it';
  expect(await staff('list', '--publisher', 'aurora')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('has no staff'),
  });
  const invited = await staff('invite', ...of, '--role', 'owner');
  // The service uses another port, which a command that has only the database URL cannot know.
  expect(invited).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^The service's address is not known here, so the link points to http:\/\/localhost:8080\..*set PUBLIC_URL/,
    ),
  });
  const token = /^http:\/\/localhost:8080\/invitation#(\w{40})$/m.exec(invited.stdout)?.[1];
  expect(await ask('/auth/invitation/accept-as-new', { token, name: 'Ines', password })).toMatchObject({
    status: 200,
  });
  expect((await staff('list', '--publisher', 'aurora')).stdout).toMatch(
    /Ines\s+ines@example\.com\s+owner\s+no/,
  );

  const reset = JSON.parse((await staff('reset-password', '--email', email, '--json')).stdout);
  expect(reset).toMatchObject({ email, mailed: false });
  const link = reset.url.split('#')[1];
  expect(await ask('/auth/password/reset', { token: link, password: `${password} anew` })).toMatchObject({
    status: 200,
  });
  expect(await ask('/auth/sign-in/password', { email, password })).toMatchObject({ status: 401 });

  expect(await staff('remove', ...of)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('last owner'),
  });
  expect(await staff('remove', '--publisher', 'aurora', '--email', 'x@example.com')).toMatchObject({
    code: 1,
  });
  expect(await staff('reset-password', '--email', 'x@example.com')).toMatchObject({ code: 1 });
  expect(await staff('remove-second-factors', '--email', email)).toMatchObject({ code: 1 });
  expect(await staff('invite', ...of, '--role', 'owner')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already on the team, as owner'),
  });
  expect(await staff('invite', ...of, '--role', 'king')).toMatchObject({ code: 2 });
  expect(await staff('invite', '--publisher', 'nowhere', '--email', email, '--role', 'owner')).toMatchObject({
    code: 1,
  });
});
