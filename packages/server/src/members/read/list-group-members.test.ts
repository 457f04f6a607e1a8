import { expect, test } from 'vitest';
import { urlsOf } from '../../../test/database-url.ts';
import { useManagement } from '../../../test/management.ts';
import { runInProcess } from '../../../test/run-in-process.ts';

const { service, provisionGroup } = useManagement();
const list = async (...words: string[]) =>
  runInProcess(['members', 'list', '--publisher', 'aurora', ...words], {
    environment: urlsOf(service().testDatabase),
  });

async function pages(...words: string[]): Promise<string[][]> {
  const all: string[][] = [];
  for (let more: string[] = []; ; ) {
    const { code, stdout } = await list(...words, ...more, '--json');
    expect(code).toBe(0);
    const { members, nextCursor } = JSON.parse(stdout);
    all.push(members.map(({ memberId }: { memberId: string }) => memberId));
    if (nextCursor === null) return all;
    more = ['--cursor', nextCursor];
  }
}

test('lists each member once in pages, members waiting for approval first', async () => {
  const member = (id: string, status: string) => `{ id: ${id}, status: ${status} }`;
  await provisionGroup(
    'paged',
    `revShare: 1, members: [ ${[
      member('acc_out', 'Removed'),
      member('acc_in1', 'Approved'),
      member('acc_waits1', 'Pending'),
      member('acc_in2', 'Approved'),
      member('acc_waits2', 'Pending'),
      member('acc_in3', 'Approved'),
    ].join(', ')} ]`,
  );
  const inOrder = ['acc_waits1', 'acc_waits2', 'acc_in1', 'acc_in2', 'acc_in3', 'acc_out'];
  for (const size of [1, 2, 3, 4, 5, 6, 7]) {
    const paged = await pages('--group', 'paged', '--limit', String(size));
    expect(paged.flat()).toEqual(inOrder);
    expect(paged.every((page) => page.length <= size && page.length > 0)).toBe(true);
  }
  expect(await pages('--group', 'paged', '--limit', '2', '--status', 'Approved')).toEqual([
    ['acc_in1', 'acc_in2'],
    ['acc_in3'],
  ]);
});

test('ends a page of text output with the option for the next page', async () => {
  const { stdout } = await list('--limit', '1');
  const [, cursor = ''] = /^More: --cursor (\S+)$/m.exec(stdout) ?? [];
  expect((await list('--limit', '1', '--cursor', cursor)).stdout).not.toContain('acc_pending');
});

test('rejects the cursor of another list, and an edited one', async () => {
  const { nextCursor } = JSON.parse((await list('--limit', '1', '--json')).stdout);
  for (const words of [
    ['--cursor', nextCursor, '--group', 'moba'],
    ['--cursor', nextCursor, '--status', 'Approved'],
    ['--cursor', `${nextCursor}x`],
  ])
    expect(await list(...words)).toMatchObject({ code: 1, stdout: '' });
});
