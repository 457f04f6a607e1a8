import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { useLinking } from '../../../test/linking.ts';
import { signIn } from '../../../test/staff.ts';
import { purgeRemoved } from '../../members/purge-removed.ts';
import { undoMs } from '../../members/undo-time.ts';

const { service, db, generate, makeMember, makeEmptyGroup, linked } = useLinking();
const stopping = new AbortController().signal;
let owner: Asking;
let manager: Asking;
let support: Asking;
let rival: Asking;
let viewer: Asking;
beforeAll(async () => {
  const roles = await asEveryRole(service());
  ({ owner, manager, viewer } = roles);
  support = (await signIn(service(), 'support', { name: 'Sam Support' })).ask;
  rival = await asRole(service(), 'owner', 'rival');
  await makeEmptyGroup('club', 'tiers: [ { name: Silver, revShare: 30 }, { name: Bronze, revShare: 20 } ]');
});

const notesOf = async (memberId: string, ask = owner) =>
  (await ask('GET', `/members/${memberId}/notes`)).body.rows;
const write = (memberId: string, text: string, ask = owner) =>
  ask('POST', `/members/${memberId}/notes`, { text });
const tag = (memberIds: string | string[], name: string, isTagged = true, ask = owner, groupId = 'club') =>
  ask('POST', '/members/bulk/tag', {
    members: [memberIds].flat().map((memberId) => ({ memberId, groupId })),
    tag: name,
    isTagged,
  });
const tagsOf = async (memberId: string): Promise<string[]> =>
  (await owner('GET', `/members/${memberId}?group=club`)).body.tags.map(
    (each: { name: string }) => each.name,
  );
const allTags = async (): Promise<{ tagId: string; name: string; creatorCount: number; version: string }[]> =>
  (await owner('GET', '/tags')).body.rows;
const tagNamed = async (name: string) => {
  const found = (await allTags()).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no tag ${name}`);
  return found;
};
const outcomes = ({ body }: { body: { outcomes: { outcome: string }[] } }): string[] =>
  body.outcomes.map(({ outcome }) => outcome);
const audited = async (memberId: string) =>
  db()
    .selectFrom('audit_entry')
    .select(['action', 'before', 'after'])
    .where('target', '=', `member:${memberId}`)
    .orderBy('audit_id')
    .execute();

describe('notes', () => {
  test('are listed newest first with author and time, and each author edits only their own', async () => {
    const id = await makeMember('club', 'Noted');
    await write(id, 'Asked for a contract.');
    const { body: note } = await write(id, '  Promised an answer by Friday.  ', support);
    expect(note).toMatchObject({ text: 'Promised an answer by Friday.', isOwn: true, editedAt: null });
    expect(await notesOf(id)).toMatchObject([
      { text: 'Promised an answer by Friday.', author: { kind: 'staff', name: 'Sam Support' }, isOwn: false },
      { text: 'Asked for a contract.', isOwn: true },
    ]);
    const at = `/members/${id}/notes/${note.noteId}`;
    const edit = { version: note.version, text: 'Answered.' };
    expect((await owner('PATCH', at, edit)).status).toBe(403);
    expect((await support('PATCH', at, edit)).body).toMatchObject({
      text: 'Answered.',
      editedAt: expect.any(String),
    });
    expect((await support('PATCH', at, { ...edit, text: 'Late.' })).body.code).toBe('Stale');
  });

  test('are removed by their author or a manager, and restored for ten minutes', async () => {
    const id = await makeMember('club', 'Removing');
    const ofSupport = (await write(id, 'by support', support)).body.noteId;
    const ofOwner = (await write(id, 'by owner')).body.noteId;
    const at = (noteId: string, rest = '') => `/members/${id}/notes/${noteId}${rest}`;
    expect((await support('DELETE', at(ofOwner))).body.code).toBe('Forbidden');
    expect((await manager('DELETE', at(ofSupport))).status).toBe(200);
    expect((await manager('DELETE', at(ofSupport))).status).toBe(200);
    expect(await notesOf(id)).toHaveLength(1);
    expect((await support('PATCH', at(ofSupport), { version: 'x', text: 'gone' })).status).toBe(404);
    expect((await support('POST', at(ofSupport, '/restore'))).status).toBe(200);
    expect(await notesOf(id)).toMatchObject([{ text: 'by owner' }, { text: 'by support' }]);
    await owner('DELETE', at(ofOwner));
    await db()
      .updateTable('creator_note')
      .set({ removed_at: new Date(Date.now() - undoMs - 1000) })
      .where('removed_at', 'is not', null)
      .execute();
    expect((await owner('POST', at(ofOwner, '/restore'))).body).toMatchObject({ code: 'Conflict' });
    await purgeRemoved(db(), new Date(Date.now() + undoMs), stopping);
    expect((await owner('POST', at(ofOwner, '/restore'))).status).toBe(404);
    expect(await notesOf(id)).toHaveLength(1);
  });

  test('are masked for viewers, and their text is not audited', async () => {
    const id = await makeMember('club', 'Secretive');
    await write(id, 'The buyer Eve Example complained.');
    expect(await notesOf(id, viewer)).toMatchObject([{ text: null, author: { kind: 'token' } }]);
    expect((await write(id, 'hello', viewer)).status).toBe(403);
    const entries = await audited(id);
    expect(entries.at(-1)).toMatchObject({ action: 'note.create', after: { characters: 33 } });
    expect(JSON.stringify(entries)).not.toContain('Eve');
  });

  test('are limited in length and number, also by concurrent requests', async () => {
    const id = await makeMember('club', 'Crowded');
    for (const text of ['', '   ', 'x'.repeat(2001), 7])
      expect((await owner('POST', `/members/${id}/notes`, { text })).status).toBe(400);
    await sql`
      insert into creator_note (publisher_id, note_id, account_id, body, author_kind, author_id, author_name, created_at)
      select 'aurora', gen_random_uuid(), ${id}, 'old', 'staff', 'x', 'X', now() from generate_series(1, 199)`.execute(
      db(),
    );
    const statuses = (await Promise.all(['a', 'b', 'c'].map((text) => write(id, text)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 409, 409]);
    const first = await owner('GET', `/members/${id}/notes?limit=100`);
    const second = await owner('GET', `/members/${id}/notes?limit=100&cursor=${first.body.nextCursor}`);
    expect([first.body.rows.length, second.body.rows.length, second.body.nextCursor]).toEqual([
      100,
      100,
      null,
    ]);
  });

  test('belong to one publisher and one creator', async () => {
    const id = await makeMember('club', 'Private');
    const { noteId } = (await write(id, 'ours')).body;
    expect((await rival('GET', `/members/${id}/notes`)).status).toBe(404);
    expect((await rival('DELETE', `/members/acc_rival/notes/${noteId}`)).status).toBe(404);
    expect((await owner('DELETE', `/members/acc_alice/notes/${noteId}`)).status).toBe(404);
    for (const wrong of ['nope', '%00'])
      expect((await owner('DELETE', `/members/${id}/notes/${wrong}`)).status).toBe(404);
  });
});

describe('tags', () => {
  test('are created by their first use, unique regardless of case, and filter the list', async () => {
    const [one, two, three] = [
      await makeMember('club', 'TagOne'),
      await makeMember('club', 'TagTwo'),
      await makeMember('club', 'TagThree'),
    ];
    expect(outcomes(await tag([one, two, 'acc_unknown'], ' Top   10 '))).toEqual(['done', 'done', 'refused']);
    expect(outcomes(await tag([two, three], 'TOP 10', true, support))).toEqual(['as before', 'done']);
    expect(outcomes(await tag(three, 'top 10', false))).toEqual(['done']);
    expect(outcomes(await tag(three, 'top 10', false))).toEqual(['as before']);
    expect(outcomes(await tag(three, 'never used', false))).toEqual(['as before']);
    const { tagId } = await tagNamed('Top 10');
    expect(await tagNamed('Top 10')).toMatchObject({ creatorCount: 2 });
    const { body } = await viewer('GET', `/members?tag=${tagId}`);
    expect(body.rows).toMatchObject([
      { memberId: two, tags: [{ id: tagId, name: 'Top 10' }] },
      { memberId: one },
    ]);
    expect((await viewer('GET', '/members?tag=nope')).status).toBe(400);
    expect((await rival('GET', `/members?tag=${tagId}`)).body.rows).toEqual([]);
    expect((await audited(two)).at(-1)).toMatchObject({ action: 'member.tag', after: { tag: 'Top 10' } });
  });

  test.each(['', ' ', 'x'.repeat(41), 'a,b', 'a;b', 'a|b', 'a\u202eb'])(
    'rejects the name %j',
    async (name) => {
      expect((await tag('acc_alice', name, true, owner, 'main')).status).toBe(400);
    },
  );

  test('require the permission to write notes, and to rename or remove them, to change creators', async () => {
    const id = await makeMember('club', 'Allowed');
    expect((await tag(id, 'Allowed', true, viewer)).status).toBe(403);
    await tag(id, 'Allowed', true, support);
    const { tagId, version } = await tagNamed('Allowed');
    const renaming = { version, name: 'Renamed' };
    expect((await support('PATCH', `/tags/${tagId}`, renaming)).status).toBe(403);
    expect((await rival('PATCH', `/tags/${tagId}`, renaming)).status).toBe(404);
    expect((await rival('DELETE', `/tags/${tagId}`)).status).toBe(404);
    expect((await owner('PATCH', `/tags/${tagId}`, renaming)).status).toBe(200);
    expect((await owner('PATCH', `/tags/${tagId}`, renaming)).body.code).toBe('Stale');
    expect(await tagsOf(id)).toEqual(['Renamed']);
    const current = (await tagNamed('Renamed')).version;
    await tag(id, 'Taken');
    expect((await owner('PATCH', `/tags/${tagId}`, { version: current, name: 'TAKEN' })).body.code).toBe(
      'Conflict',
    );
    expect((await owner('PATCH', `/tags/${tagId}`, { version: current, name: 'RENAMED' })).status).toBe(200);
  });

  test('are removed from all creators with their count, and restored to all of them', async () => {
    const [one, two] = [await makeMember('club', 'GoneOne'), await makeMember('club', 'GoneTwo')];
    await tag([one, two], 'Gone');
    const { tagId } = await tagNamed('Gone');
    expect((await owner('DELETE', `/tags/${tagId}`)).body).toEqual({ name: 'Gone', creatorCount: 2 });
    expect([await tagsOf(one), (await viewer('GET', `/members?tag=${tagId}`)).body.rows]).toEqual([[], []]);
    expect((await owner('POST', `/tags/${tagId}/restore`)).status).toBe(200);
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([['Gone'], ['Gone']]);
    await owner('DELETE', `/tags/${tagId}`);
    await tag(one, 'gone');
    expect((await owner('POST', `/tags/${tagId}/restore`)).body.code).toBe('Conflict');
    await purgeRemoved(db(), new Date(Date.now() + 3 * undoMs), stopping);
    expect((await owner('POST', `/tags/${tagId}/restore`)).status).toBe(404);
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([['gone'], []]);
  });

  test('are limited to 20 per creator, also by concurrent requests', async () => {
    const id = await makeMember('club', 'Loaded');
    for (let i = 1; i < 20; i += 1) await tag(id, `Load ${i}`);
    const all = await Promise.all(['x', 'y', 'z'].map((last) => tag(id, `Load ${last}`)));
    expect(all.flatMap(outcomes).sort()).toEqual(['done', 'refused', 'refused']);
    expect(await tagsOf(id)).toHaveLength(20);
  });

  test('are imported from a column', async () => {
    const importing = (csv: string, isDryRun: boolean) =>
      owner('POST', '/members/import?group=club', { csv, codeScope: 'group', isDryRun });
    const csv = `id,name,tags\nacc_imported,Imported,"Press; New in town"\nacc_bad,Bad,"${'x'.repeat(41)}"`;
    const { body } = await importing(csv, true);
    expect(body.lines).toMatchObject([
      { verdict: 'new' },
      {
        verdict: 'refused',
        problems: ["A tag must have 1 to 40 characters and can't contain commas, semicolons or |."],
      },
    ]);
    expect((await allTags()).some(({ name }) => name === 'Press')).toBe(false);
    await importing(csv, false);
    expect(await tagsOf('acc_imported')).toEqual(['New in town', 'Press']);
    expect((await importing(csv, false)).body.lines[0].verdict).toBe('as before');
    expect((await importing('id,tags\nacc_imported,VIP', false)).body.lines[0].verdict).toBe('changed');
  });
});

test('notes and tags follow a creator who claims the member', async () => {
  await generate('club', 'follower-1');
  const [{ memberId: generated }] = (await owner('GET', '/members?group=club&q=follower-1')).body.rows;
  const creator = await makeMember('club', 'Follower');
  await write(generated, 'Met at the fair.');
  await write(creator, 'Has an agent.');
  await tag([generated, creator], 'Both');
  await tag(generated, 'Claimed');
  await linked('club', creator, 'follower-1');
  expect((await notesOf(creator)).map((each: { text: string }) => each.text)).toEqual([
    'Has an agent.',
    'Met at the fair.',
  ]);
  expect(await tagsOf(creator)).toEqual(['Both', 'Claimed']);
  // The claimed id still leads to the creator.
  expect(await notesOf(generated)).toHaveLength(2);
  expect((await write(generated, 'Signed.')).status).toBe(200);
  expect(await notesOf(creator)).toHaveLength(3);
  expect(await tagNamed('Both')).toMatchObject({ creatorCount: 1 });
});

test('a change of tier reports the previous tier, and is undone only from the tier it set', async () => {
  const [one, two] = [
    await makeMember('club', 'TierOne', 'tier: Bronze'),
    await makeMember('club', 'TierTwo'),
  ];
  const set = (members: string[], tier: string | null, from?: string | null) =>
    owner('POST', '/members/bulk/tier', {
      members: members.map((memberId) => ({ memberId, groupId: 'club' })),
      tier,
      ...(from !== undefined && { from }),
    });
  const tierOf = async (id: string) => (await owner('GET', `/members/${id}?group=club`)).body.tier?.name;
  expect((await set([one, two], 'Silver')).body.outcomes).toMatchObject([
    { outcome: 'done', tierBefore: 'Bronze' },
    { outcome: 'done', tierBefore: null },
  ]);
  await set([one], 'Bronze');
  await set([one], null);
  const { body } = await set([one, two], 'Bronze', 'Silver');
  expect(body.outcomes).toMatchObject([
    { outcome: 'refused', message: 'TierOne is now in no tier. Nothing was changed.' },
    { outcome: 'done' },
  ]);
  expect([await tierOf(one), await tierOf(two)]).toEqual([undefined, 'Bronze']);
});
