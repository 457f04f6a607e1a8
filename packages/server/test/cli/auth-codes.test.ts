import { beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';

const service = useRunningService();
let key = '';

const program = `
publisher: { id: studio, apiKeys: [ { name: backend, kind: secret } ] }
groups:
  - id: main
    revShare: 10
    members:
      - { id: acc_ann, name: Ann, codes: [ { code: ANN } ] }
      - { id: acc_made, name: Made, playerId: p-made, codes: [ { code: MADE, managed: true } ] }
      - { id: acc_gone, playerId: p-gone, status: Removed }
  - id: side
    revShare: 10
    members:
      - { id: acc_side, playerId: p-side }
      - { id: acc_id, playerId: id }
      - { id: acc_player, playerId: player }
`;
const run = async (words: string[], input?: string) => {
  const { code, stdout, stderr } = await runInProcess(words, {
    environment: service().environment,
    ...(input !== undefined && { input }),
  });
  return { code, stdout, stderr };
};
const issue = (...words: string[]) => run(['auth-codes', 'issue', '--publisher', 'studio', ...words]);
const link = async (playerId: string, authCode: string) => {
  const response = await fetch(`${service().server.url}/v1/manage/members/link`, {
    method: 'POST',
    headers: { 'x-shared-secret': key },
    body: new URLSearchParams({ playerId, authCode }),
  });
  return [response.status, (await response.json()) as { id?: string; code?: string }] as const;
};

beforeAll(async () => {
  const { stdout } = await run(['provision', '-', '--json'], program);
  ({ key } = JSON.parse(stdout).keys[0]);
});

test('issues a code by account or playerId, which works once at the running server, and prints it for people', async () => {
  const { code, stdout } = await issue('--member', 'acc_side', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      memberId: 'acc_side',
      authCode: expect.stringMatching(/^.{4}-.{4}$/),
      expiresAt: expect.stringMatching(/Z$/),
    },
  ]);
  const byPlayer = await issue('--player', 'p-side', '--group', 'side', '--json');
  expect(JSON.parse(byPlayer.stdout).memberId).toBe('acc_side');
  for (const name of ['id', 'player']) {
    const issued = await issue('--player', name, '--group', 'side', '--json');
    expect(JSON.parse(issued.stdout).memberId, 'a playerId that has no path').toBe(`acc_${name}`);
  }

  const printed = await issue('--player', 'p-made');
  const [authCode = '', ...rest] = printed.stdout.split('\n');
  expect(rest.join('\n')).toMatch(
    /The code links acc_made to a player\. It works once, until \d{4}-.*Z\. It is not stored/,
  );
  expect(await link('p-made', authCode)).toMatchObject([200, { id: 'acc_made' }]);
  expect(await link('p-made', authCode)).toMatchObject([400, { code: 'InvalidAuthCode' }]);
});

test.each([
  ['an account that is no member', ['--member', 'acc_nobody'], 'Publisher studio has no member acc_nobody.'],
  ["another publisher's account", ['--member', 'acc_alice'], 'Publisher studio has no member acc_alice.'],
  [
    'a playerId that a Removed member has',
    ['--player', 'p-gone'],
    'Group main of publisher studio has no member with the playerId p-gone.',
  ],
  [
    'a playerId of another group',
    ['--player', 'p-side'],
    'Group main of publisher studio has no member with the playerId p-side.',
  ],
  ['nobody', [], 'Either --member or --player is required.'],
  ['two', ['--member', 'acc_ann', '--player', 'p-made'], 'Either --member or --player is required.'],
  ['an account in a group', ['--member', 'acc_ann', '--group', 'main'], '--group requires --player.'],
])('doesn’t issue a code for %s', async (_whom, words, message) => {
  expect(await issue(...words)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
});

test('doesn’t issue a code for a missing publisher or a claimed account', async () => {
  const nobody = await run(['auth-codes', 'issue', '--publisher', 'nobody', '--member', 'acc_ann']);
  expect(nobody).toMatchObject({ code: 1, stderr: 'There is no publisher nobody.\n' });

  const { authCode } = JSON.parse((await issue('--member', 'acc_ann', '--json')).stdout);
  expect(await link('p-made', authCode)).toMatchObject([200, { id: 'acc_ann' }]);
  const closed = await issue('--member', 'acc_made');
  expect(closed).toMatchObject({
    code: 1,
    stderr: "Account acc_made is closed. It is now part of another creator's account.\n",
  });
  const members = await run(['members', 'list', '--publisher', 'studio', '--json']);
  expect(JSON.parse(members.stdout).members.map((each: { memberId: string }) => each.memberId)).toEqual([
    'acc_ann',
    'acc_gone',
  ]);
  const approved = await run(['members', 'approve', 'acc_made', '--publisher', 'studio']);
  expect(approved).toMatchObject({
    code: 1,
    stderr: 'Group main of publisher studio has no member acc_made.\n',
  });
  const again = await run(['provision', '-'], program);
  expect(again).toMatchObject({
    code: 0,
    stdout:
      'Publisher studio: 2 group(s), 6 member(s) match the file.\nUnchanged, because creators have claimed them: acc_made.\n',
  });
});
