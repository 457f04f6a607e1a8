import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { useMoney } from '../../../test/money.ts';

const { service } = useMoney();
let ask: Asking;
beforeAll(async () => {
  ask = await asRole(service(), 'viewer');
  await service().provision(`
publisher: { id: aurora }
groups:
  - id: list
    name: List
    revShare: 10
    tiers: [ { name: Gold, revShare: 30 } ]
    members:
      - { id: li_kira, name: Kira Lang, playerId: p-kira, tier: Gold, codes: [ { code: KIRA, group: list } ] }
      - { id: li_ben, name: "Lang, Ben", status: Pending, codes: [ { code: BEN-1, group: list } ] }
      - { id: li_twin1, name: Twin }
      - { id: li_twin2, name: twin }
      - { id: li_kirb, name: KIRB, codes: [ { code: KIRB2 } ] }
      - { id: li_other, name: Other, codes: [ { code: TWIN2, group: list } ] }
  - id: away
    name: Away
    revShare: 10
    members: [ { id: li_away, name: Away Only, codes: [ { code: AWAY, group: away } ] }, { id: li_kira, name: Kira Lang } ]`);
  await service().provision(
    '{ publisher: { id: rival }, groups: [ { id: main, members: [ { id: li_rival, name: Rival Kira, codes: [ { code: RIVKIRA } ] } ] } ] }',
  );
});

const lookUp = async (text: string, query = '?group=list') => {
  const { status, body } = await ask('POST', `/members/look-up${query}`, { text });
  expect(status).toBe(200);
  return body as {
    cellCount: number;
    entries: { text: string; line: number; state: string; creators: { memberId: string }[] }[];
  };
};
const seen = async (text: string, query?: string): Promise<unknown[]> =>
  (await lookUp(text, query)).entries.map(({ text, state, creators }) => [
    text,
    state,
    creators
      .map(({ memberId }) => memberId)
      .sort()
      .join(' '),
  ]);

describe('looking up a pasted list', () => {
  test('finds creators by code, id, player id and name, whatever separates them', async () => {
    expect(await seen('kira;BEN-1\r\nli_twin1\n\n  p-kira ,KIRB\nno-one\tKIRB2')).toEqual([
      ['kira', 'found', 'li_kira'],
      ['BEN-1', 'found', 'li_ben'],
      ['li_twin1', 'found', 'li_twin1'],
      ['p-kira', 'doubled', 'li_kira'],
      ['KIRB', 'found', 'li_kirb'],
      ['no-one · KIRB2', 'doubled', 'li_kirb'],
    ]);
  });

  test('shows what is needed to choose an action', async () => {
    const { entries } = await lookUp('KIRA\nBEN-1');
    expect(entries).toMatchObject([
      {
        line: 1,
        creators: [
          {
            name: 'Kira Lang',
            groupId: 'list',
            groupName: 'List',
            status: 'Approved',
            tier: 'Gold',
          },
        ],
      },
      { line: 2, creators: [{ name: 'Lang, Ben', status: 'Pending', tier: null }] },
    ]);
  });

  test('reads a name with a comma, with or without quotes, and codes between spaces', async () => {
    expect(await seen('Lang, Ben')).toEqual([['Lang, Ben', 'found', 'li_ben']]);
    expect(await seen('"Lang, Ben",kira lang')).toEqual([
      ['Lang, Ben', 'found', 'li_ben'],
      ['kira lang', 'found', 'li_kira'],
    ]);
    expect(await seen('KIRA BEN-1')).toEqual([
      ['KIRA', 'found', 'li_kira'],
      ['BEN-1', 'found', 'li_ben'],
    ]);
    expect(await seen('KIRA NO-ONE')).toEqual([['KIRA NO-ONE', 'unknown', '']]);
  });

  test('reads a row of a spreadsheet as one creator, unless its cells name several', async () => {
    expect(
      await seen(
        'Name\tCode\tE-mail\nKira Lang\tKIRA\tkira@example.com\nNew Person\tNEW\tx\nKIRA\tBEN-1\tTYPO',
      ),
    ).toEqual([
      ['Kira Lang · KIRA · kira@example.com', 'found', 'li_kira'],
      ['New Person · NEW · x', 'unknown', ''],
      ['KIRA', 'doubled', 'li_kira'],
      ['BEN-1', 'found', 'li_ben'],
      ['TYPO', 'unknown', ''],
    ]);
  });

  test('never guesses: names of several creators, other groups and other publishers', async () => {
    expect(await seen('TWIN\nAWAY\nli_rival\nRivKira\nRival Kira\nkir')).toEqual([
      ['TWIN', 'ambiguous', 'li_twin1 li_twin2'],
      ['AWAY', 'elsewhere', 'li_away'],
      ['li_rival', 'unknown', ''],
      ['RivKira', 'unknown', ''],
      ['Rival Kira', 'unknown', ''],
      ['kir', 'unknown', ''],
    ]);
    expect(await seen('AWAY\nli_kira', '')).toEqual([
      ['AWAY', 'found', 'li_away'],
      ['li_kira', 'ambiguous', 'li_kira li_kira'],
    ]);
  });

  test('looks up a thousand cells, and counts the others', async () => {
    const { cellCount, entries } = await lookUp(
      Array.from({ length: 1_200 }, (_, index) => `NO-${index}`).join(','),
    );
    expect([cellCount, entries.length]).toEqual([1_200, 1_000]);
    expect(await lookUp('')).toEqual({ cellCount: 0, entries: [] });
    expect(await lookUp('\t \n,;\n"')).toEqual({ cellCount: 0, entries: [] });
  });

  test.each([
    ['text that is too long', { text: 'x'.repeat(100_001) }],
    ['U+0000', { text: 'a\u0000b' }],
    ['a missing text', {}],
    ['another property', { text: 'a', codes: [] }],
  ])('rejects %s', async (_what, body) => {
    expect(await ask('POST', '/members/look-up', body)).toMatchObject({ status: 400 });
  });

  test('is for all roles of the publisher, and for a group that exists', async () => {
    for (const [role, as] of Object.entries(await asEveryRole(service())))
      expect((await as('POST', '/members/look-up', { text: 'KIRA' })).status, role).toBe(200);
    const rival = await asRole(service(), 'owner', 'rival');
    expect(
      (await rival('POST', '/admin/v1/publishers/aurora/members/look-up', { text: 'KIRA' })).status,
    ).toBe(404);
    expect((await ask('POST', '/members/look-up?group=nowhere', { text: 'KIRA' })).status).toBe(404);
  });

  test('survives quotes, long cells and text of other languages', async () => {
    for (const text of [
      '"',
      '""',
      '"a""b"',
      'a"b,c',
      `${'x'.repeat(5_000)}\t"`,
      'ß,İ,\u2028,\ud83d\ude00',
      "'; drop table",
    ])
      expect((await lookUp(text)).entries.every(({ state }) => state === 'unknown')).toBe(true);
  });
});
