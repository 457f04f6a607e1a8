import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { applyProgram } from '../../../test/apply-program.ts';
import { entriesOf } from '../../../test/audit.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';

const { service, record } = useManagement();

/** Applies a program file with members of the group main, and returns the new audit entries. */
const entriesFor = (...members: string[]) => {
  const { db } = service().testDatabase.database;
  const text = `{ publisher: { id: aurora }, groups: [ { id: main, members: [ ${members.join(', ')} ] } ] }`;
  return entriesOf(db, () => applyProgram(db, text));
};

test('records all facts of a new member in one entry', async () => {
  const member = `{ id: acc_full, name: Full, playerId: p-full, tier: Gold, visible: false, logoImage: "https://a.example/l.png",
    playerMetadata: { displayName: Secretly }, status: Pending,
    codes: [ { code: FULL }, { code: FULL-2, managed: true, group: main } ], identities: [ { provider: twitch, id: "77" } ] }`;
  const entries = await entriesFor(member);
  expect(entries).toMatchObject([{ action: 'member.put', target: 'member:acc_full', before: null }]);
  expect(entries[0]?.after).toEqual({
    group: 'main',
    name: 'Full',
    logoImage: 'https://a.example/l.png',
    playerId: 'p-full',
    visible: false,
    tier: 'Gold',
    playerMetadata: '…',
    status: 'Pending',
    codes: { FULL: { primary: true }, 'FULL-2': { group: 'main', managed: true } },
    identities: ['twitch 77'],
  });
  expect(await entriesFor(member)).toEqual([]);
});

test('records only changed facts, with their previous values', async () => {
  await entriesFor('{ id: acc_turns, name: Before, playerId: p-turns, codes: [ { code: TURN-1 } ] }');
  const entries = await entriesFor(
    `{ id: acc_turns, name: After, playerId: p-turns, status: Removed, removalReason: moved away,
       codes: [ { code: Turn-1, approved: false }, { code: TURN-2, primary: true } ] }`,
  );
  expect(entries).toMatchObject([
    {
      target: 'member:acc_turns',
      before: {
        group: 'main',
        name: 'Before',
        status: 'Approved',
        codes: { 'Turn-1': { code: 'TURN-1', approved: true, primary: true } },
      },
      after: {
        group: 'main',
        name: 'After',
        status: 'Removed',
        codes: { 'Turn-1': { code: 'Turn-1', approved: false, primary: false }, 'TURN-2': { primary: true } },
      },
      reason: 'moved away',
    },
  ]);
});

test('records an entry for each of many members', async () => {
  const many = Array.from({ length: 600 }, (_, index) => `{ id: acc_many_${index} }`);
  const entries = await entriesFor(...many);
  expect(new Set(entries.map(({ target }) => target)).size).toBe(600);
  expect(new Set(entries.map(({ xmin }) => xmin)).size).toBe(1);
});

test('does not save any member from a file in which one is rejected', async () => {
  expect(
    await entriesFor('{ id: acc_fine }', '{ id: acc_rival }').catch((error: Error) => error.message),
  ).toContain("doesn't belong to publisher aurora");
  expect(await entriesFor('{ id: acc_fine }')).toMatchObject([{ before: null }]);
});

test('records image URLs without the query, which may contain credentials, and records a change of only the query', async () => {
  const member = (signature: string) =>
    `{ id: acc_signed, logoImage: "https://a.example/l.png?sig=${signature}", profileImage: "https://a.example/p.png?${signature}" }`;
  const shown = { logoImage: 'https://a.example/l.png?…', profileImage: 'https://a.example/p.png?…' };
  const made = await entriesFor(member('hush'));
  expect(made).toMatchObject([{ before: null, after: shown }]);
  const changed = await entriesFor(member('hush-hush'));
  expect(changed).toMatchObject([{ before: shown, after: shown }]);
  expect(JSON.stringify([made, changed])).not.toContain('hush');
  const { rows } = await sql`
    select logo_image, profile_image from creator_account where account_id = 'acc_signed'`.execute(
    service().testDatabase.database.db,
  );
  expect(rows).toEqual([
    {
      logo_image: 'https://a.example/l.png?sig=hush-hush',
      profile_image: 'https://a.example/p.png?hush-hush',
    },
  ]);
  expect(await entriesFor(member('hush-hush'))).toEqual([]);
  expect(await entriesFor('{ id: acc_signed, logoImage: null, profileImage: null }')).toMatchObject([
    { before: shown, after: { logoImage: null, profileImage: null } },
  ]);
});

test('treats the code __proto__ like any other', async () => {
  const put = async (code: string) => {
    const entries = await entriesFor(`{ id: acc_proto, name: Proto, playerId: p-proto, codes: [ ${code} ] }`);
    return entries.map(({ before, after }) => JSON.stringify([before, after]));
  };
  const credited = async (): Promise<string | undefined> =>
    (await record(purchase({ code: '__proto__' }))).body.transaction?.memberPlayerId;
  expect(await put('{ code: __proto__ }')).toEqual([expect.stringContaining('"__proto__":{"primary":true}')]);
  expect(await credited()).toBe('p-proto');
  expect(await put('{ code: __proto__, approved: false }')).toEqual([
    '[{"codes":{"__proto__":{"approved":true}},"group":"main"},{"codes":{"__proto__":{"approved":false}},"group":"main"}]',
  ]);
  expect(await credited()).toBeUndefined();
});

test('distinguishes a group code and a global code with the same text', async () => {
  const entries = await entriesFor(
    '{ id: acc_twice, codes: [ { code: TWICE }, { code: Twice, group: main, managed: true } ] }',
  );
  expect(entries[0]?.after).toMatchObject({
    codes: { TWICE: { primary: true }, 'Twice (group)': { group: 'main', managed: true } },
  });
});
