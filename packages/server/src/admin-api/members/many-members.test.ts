import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { useManagement } from '../../../test/management.ts';

const { service, provisionGroup } = useManagement();
const db = () => service().testDatabase.database.db;
let owner: Asking;
beforeAll(async () => {
  owner = await asRole(service(), 'owner');
  await provisionGroup(
    'club',
    'revShare: 10, tiers: [ { id: 11111111-1111-4111-8111-111111111111, name: Silver, revShare: 30 } ]',
  );
});

const namesOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Creates Pending members of the group club, each with a code. */
async function applicants(prefix: string, count: number): Promise<string[]> {
  const ids = namesOf(prefix, count);
  const members = ids.map(
    (id) => `{ id: ${id}, playerId: p-${id}, status: Pending, codes: [ { code: C-${id} } ] }`,
  );
  await provisionGroup('club', `revShare: 10, members: [ ${members.join(', ')} ]`);
  return ids;
}

const inClub = (ids: readonly string[]) => ids.map((memberId) => ({ memberId, groupId: 'club' }));
const statusesOf = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await db()
    .selectFrom('membership')
    .select(['account_id', 'status'])
    .where('publisher_id', '=', 'aurora')
    .where('group_id', '=', 'club')
    .execute();
  const byId = new Map(rows.map((row) => [String(row.account_id), row.status]));
  return ids.map((id) => byId.get(id) ?? 'none');
};
const entriesOf = async (action: string) =>
  db().selectFrom('audit_entry').select(['target', 'reason']).where('action', '=', action).execute();
const readEvents = async () =>
  db().selectFrom('webhook_event').select('event_id').where('publisher_id', '=', 'aurora').execute();

describe('permission to change many creators', () => {
  test.each([
    ['/members/bulk/approve', { members: [] }, ['owner', 'manager', 'support']],
    ['/members/bulk/remove', { members: [], reason: 'Roles' }, ['owner', 'manager']],
    ['/members/bulk/tier', { members: [], tier: null }, ['owner', 'manager']],
    ['/members/import', { csv: 'id\nx', codeScope: 'group', isDryRun: true }, ['owner', 'manager']],
  ])('%s', async (path, json, allowed) => {
    for (const [role, ask] of Object.entries(await asEveryRole(service())))
      expect({ role, status: (await ask('POST', path, json)).status }).toEqual({
        role,
        status: allowed.includes(role) ? 200 : 403,
      });
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival('POST', `/admin/v1/publishers/aurora${path}`, json)).status).toBe(404);
  });
});

describe('many creators at once', () => {
  test('are approved except one with a conflict, which is reported', async () => {
    const ids = await applicants('fifty', 51);
    // Another member gets the player id of one of these members while that member is Pending.
    await service().provision('{ publisher: { id: aurora }, groups: [ { id: club, revShare: 10 } ] }');
    await owner('POST', '/members/fifty7/remove?group=club', { reason: 'Withdrew' });
    await owner('POST', '/members?group=club', { name: 'Clash', playerId: 'p-fifty7' });
    const { status, body } = await owner('POST', '/members/bulk/approve', { members: inClub(ids) });
    expect(status).toBe(200);
    expect(body.outcomes).toHaveLength(51);
    const refused = body.outcomes.filter(({ outcome }: { outcome: string }) => outcome === 'refused');
    expect(refused).toEqual([
      {
        groupId: 'club',
        memberId: 'fifty7',
        outcome: 'refused',
        message:
          'Another member of group club now has the playerId of fifty7. Change one of the two playerIds.',
        tierBefore: null,
      },
    ]);
    expect((await statusesOf(ids)).filter((each) => each === 'Approved')).toHaveLength(50);
    const entries = await entriesOf('member.approve');
    expect(entries.filter(({ target }) => target.startsWith('member:fifty'))).toHaveLength(50);
    const again = await owner('POST', '/members/bulk/approve', { members: inClub(ids) });
    const outcomes = new Set(again.body.outcomes.map(({ outcome }: { outcome: string }) => outcome));
    expect(outcomes).toEqual(new Set(['as before', 'refused']));
  });

  test('are moved to a tier of their group, and an unknown tier is reported', async () => {
    const ids = await applicants('tiered', 2);
    const setTier = async (tier: string) =>
      (await owner('POST', '/members/bulk/tier', { members: inClub(ids), tier })).body.outcomes;
    expect(await setTier('Silver')).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
    expect(await setTier('Silver')).toMatchObject([{ outcome: 'as before' }, { outcome: 'as before' }]);
    expect((await setTier('Bronze'))[0]).toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/no tier/),
    });
  });

  test('are removed with one reason, and unknown creators are reported', async () => {
    const ids = await applicants('leaver', 3);
    const members = [...inClub(ids), ...inClub(['acc_unknown']), { memberId: 'acc_rival', groupId: 'main' }];
    const { body } = await owner('POST', '/members/bulk/remove', { members, reason: 'Season over' });
    expect(body.outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'done',
      'done',
      'done',
      'refused',
      'refused',
    ]);
    expect(await statusesOf(ids)).toEqual(['Removed', 'Removed', 'Removed']);
    const entries = await entriesOf('member.remove');
    expect(entries.filter(({ reason }) => reason === 'Season over')).toHaveLength(3);
  });

  test.each([
    ['remove', { members: [] }],
    ['remove', { members: [], reason: '' }],
    ['tier', { members: [] }],
    ['approve', { members: inClub(namesOf('x', 1_001)) }],
    ['approve', { members: [], codes: ['ALICE'] }],
    ['approve', {}],
    ['approve', { members: ['acc_alice'] }],
  ])('are rejected as a whole if the request is invalid: %s %#', async (what, json) => {
    expect((await owner('POST', `/members/bulk/${what}`, json)).status).toBe(400);
  });

  test('are all changed, in several commits', async () => {
    const ids = await applicants('many', 120);
    const { body } = await owner('POST', '/members/bulk/approve', { members: inClub(ids) });
    expect(new Set(body.outcomes.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['done']),
    );
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['Approved']));
  });
});

describe('an import', () => {
  interface ImportResponse {
    body: { lines: { verdict: string; warnings: string[] }[] };
  }
  const send = async (csv: string, isDryRun: boolean, codeScope = 'group', group = 'club') =>
    owner('POST', `/members/import?group=${group}`, { csv, codeScope, isDryRun });
  const verdictsOf = ({ body }: { body: { lines: { line: number; verdict: string }[] } }) =>
    body.lines.map(({ line, verdict }) => [line, verdict]);
  const countRows = async () => {
    const [members, accounts, codes, entries, events] = await Promise.all([
      db().selectFrom('membership').select('membership_id').execute(),
      db().selectFrom('creator_account').select('account_id').execute(),
      db().selectFrom('group_code').select('code').execute(),
      db().selectFrom('audit_entry').select('audit_id').execute(),
      readEvents(),
    ]);
    return [members, accounts, codes, entries, events].map(({ length }) => length);
  };

  test('reports a line that takes over another creator’s code, and saves it only with takeOver', async () => {
    const verdictsAndWarnings = ({ body }: ImportResponse) =>
      body.lines.map(({ verdict, warnings }) => [verdict, warnings]);
    const creditedIn = async (group: string) =>
      (await owner('GET', `/codes/ALICE/check?group=${group}`)).body.credited?.memberId;
    const over =
      'ALICE is a global code of Alice. In this group, purchases with it would credit this creator instead of Alice.';
    const own =
      'id,name,codes\nshade_1,One,alice FREE-1\nacc_alice,,ALICE\nshade_2,Two,RIVAL\nshade_4,Four,FREE-4';
    const tried = await send(own, true, 'group', 'main');
    expect(verdictsAndWarnings(tried)).toEqual([
      ['takes over', [over]],
      ['refused', []], // shade_1 has the code in the group at that point
      ['new', []], // the code of another publisher's creator, who is not a member here
      ['new', []],
    ]);
    const applied = await send(own, false, 'group', 'main');
    expect(applied.body.lines[0]).toMatchObject({
      verdict: 'refused',
      problems: [over, 'To save it, allow lines that take over a code.'],
    });
    expect(await creditedIn('main')).toBe('acc_alice');
    const allowed = { csv: own, codeScope: 'group', isDryRun: false, takeOver: true };
    const { body } = await owner('POST', '/members/import?group=main', allowed);
    expect(body.lines[0]).toMatchObject({ verdict: 'takes over', warnings: [over] });
    expect(await creditedIn('main')).toBe('shade_1');
    // After the import, the code belongs to the creator.
    expect(verdictsAndWarnings(await send(own, false, 'group', 'main'))[0]?.[0]).toBe('as before');
  });

  test('warns about a line whose code is overridden by a group code, or overrides a code that is not credited here', async () => {
    const verdictsAndWarnings = ({ body }: ImportResponse) =>
      body.lines.map(({ verdict, warnings }) => [verdict, warnings]);
    const before =
      'ALICE is also a global code of Alice. In this group, the new group code takes precedence.';
    const behind =
      'MOBA-AL is also a group code of Alice in Aurora MOBA, where it takes precedence over this one.';
    for (const isDryRun of [true, false])
      expect(verdictsAndWarnings(await send('id,name,codes\nshade_5,Five,ALICE', isDryRun))).toEqual([
        ['new', [before]],
      ]);
    const global = 'id,name,codes\nshade_6,Six,moba-al\nshade_7,Seven,FREE-7';
    for (const isDryRun of [true, false])
      expect(verdictsAndWarnings(await send(global, isDryRun, 'global'))).toEqual([
        ['new', [behind]],
        ['new', []],
      ]);
  });

  test('matches tiers case-insensitively if that is unambiguous, and otherwise lists them', async () => {
    await provisionGroup(
      'tiers',
      'revShare: 10, tiers: [ { name: Gold, revShare: 30 }, { name: Silver, revShare: 20 }, { name: Mixed, revShare: 40 }, { name: MIXED, revShare: 50 } ]',
    );
    const lines = ['t1,One,gold', 't2,Two,SILVER', 't3,Three,mixed', 't4,Four,Mixed', 't5,Five,Bronze'];
    const { body } = await send(`id,name,tier\n${lines.join('\n')}`, false, 'group', 'tiers');
    expect(body.lines.map(({ problems }: { problems: string[] }) => problems)).toEqual([
      [],
      [],
      ['tiers has more than one tier named “mixed”; use one of Mixed, MIXED.'],
      [],
      ['tiers has no tier named “Bronze”; use one of Silver, Gold, Mixed, MIXED.'],
    ]);
    for (const [id, name] of [
      ['t1', 'Gold'],
      ['t2', 'Silver'],
      ['t4', 'Mixed'],
    ])
      expect((await owner('GET', `/members/${id}?group=tiers`)).body.tier).toMatchObject({ name });
    expect((await send('id,name,tier\nt1,,gold', false, 'group', 'tiers')).body.lines[0].verdict).toBe(
      'as before',
    );
    const without = await send('id,name,tier\nt6,Six,Gold', true, 'group', 'moba');
    expect(without.body.lines[0].problems).toEqual([
      'Aurora MOBA has no tier named “Gold”; it has no tiers, so leave the cell empty.',
    ]);
  });

  test.each([
    [',,NAMELESS', /^A name is required for a new creator\. To change an existing creator, add/],
    ['nobody_yet,,NAMELESS', /^A name is required for a new creator/],
    ['x_1,One,a*c ok-1', /^The code “a\*c” must have 2 to 32 letters, digits, _ and -\.$/],
    [`x_2,Two,${'y'.repeat(100)}`, /^The code “y{60}…” must have/],
    ['x 3,Three,', /^The id “x 3” must have 1 to 64 letters, digits and _ \. : @ -\.$/],
    [`x_4,${'n'.repeat(256)},`, /^The name “n{60}…” must have at most 255 characters\.$/],
    [
      `x_5,Five,,${'p'.repeat(256)}`,
      /^The player id “p{60}…” must have at most 255 characters, all of them printable\.$/,
    ],
    [
      'x_5,Five,,p\u0007q',
      /^The player id “p\ufffdq” must have at most 255 characters, all of them printable\.$/,
    ],
    [
      'x_6,Six,,,htp:/logo',
      /^The logo image “htp:\/logo” must be an http or https address with at most 2,000/,
    ],
    [
      `x_7,Seven,,,,${'z'.repeat(70)}:1`,
      /^The identity “z{60}…” must be written as twitch:123, with at most 64/,
    ],
    [`x_8,Eight,,,,,${'d'.repeat(300)}`, /^The display name “d{60}…” must have at most 255 characters\.$/],
    [`x_9,Nine,,,,,,${'t'.repeat(300)}`, /^club has no tier named “t{60}…”; use one of Silver\.$/],
  ])('rejects a line with a message that quotes the cell: %#', async (line, problem) => {
    const csv = `id,name,codes,playerId,logoImage,identities,displayName,tier\n${line}`;
    for (const isDryRun of [true, false]) {
      const { body } = await send(csv, isDryRun);
      expect(body.lines).toMatchObject([{ verdict: 'refused', problems: [expect.stringMatching(problem)] }]);
      for (const text of body.lines[0].problems) expect(text).not.toMatch(/\[\d|playerMetadata|\bmust be:/);
    }
  });

  test('reports a verdict for each line in a dry run, then applies exactly those changes', async () => {
    await owner('POST', '/members?group=club', {
      id: 'imp_known',
      name: 'Known',
      codes: [{ code: 'IMP-K', group: 'club' }],
    });
    await owner('POST', '/members?group=club', { id: 'imp_same', name: 'Same' });
    const csv = [
      'ID,Name,Player ID,Codes,Tier,Status',
      'imp_1,First,imp-p1,IMP-1 IMP-1B,Silver,Approved',
      'imp_known,Renamed,,,,',
      'imp_same,Same,,,,',
      'imp_2,Clash,,IMP-K,,', // another member's code
      'imp_3,Tier,imp-p3,IMP-3,Bronze,', // a valid code with an invalid tier
      ',Without id,,IMP-4,,pending',
      ',,,IMP-5,,',
      'imp_1,Twice,,,,',
      'imp_6,Status,,,,Removed',
      'imp_7,Bad code,,ab b*c,,',
      'imp_8,Number,1.2E+15,,,',
      'acc_rival,Rival,,,,',
      'imp_9,Too,,,,,many',
    ].join('\n');
    const before = await countRows();
    const dry = await send(csv, true);
    const expected = [
      [2, 'new'],
      [3, 'changed'],
      [4, 'as before'],
      [5, 'refused'],
      [6, 'refused'],
      [7, 'new'],
      [8, 'refused'],
      [9, 'refused'],
      [10, 'refused'],
      [11, 'refused'],
      [12, 'refused'],
      [13, 'refused'],
      [14, 'refused'],
    ];
    expect(verdictsOf(dry)).toEqual(expected);
    expect(await countRows()).toEqual(before);
    const problemsOf = (line: number): string[] =>
      dry.body.lines.find((each: { line: number }) => each.line === line).problems;
    expect(problemsOf(5)).toEqual(['The code IMP-K belongs to another member; choose another code.']);
    expect(problemsOf(6)).toEqual(['club has no tier named “Bronze”; use one of Silver.']);
    expect(problemsOf(8)[0]).toMatch(/^A name is required/);
    expect(problemsOf(11)).toEqual(['The code “b*c” must have 2 to 32 letters, digits, _ and -.']);
    expect(problemsOf(9)).toEqual(['Line 2 already has the id imp_1.']);
    expect(problemsOf(10)[0]).toMatch(/^The status must be Approved or Pending, not Removed/);
    expect(problemsOf(12)[0]).toMatch(/a spreadsheet shortened/);
    expect(problemsOf(13)).toEqual(["Account acc_rival doesn't belong to publisher aurora; use another id."]);
    expect(problemsOf(14)[0]).toMatch(/7 cells/);
    const applied = await send(csv, false);
    expect(applied.body.lines.map(({ problems, ...line }: object & { problems: unknown }) => line)).toEqual(
      dry.body.lines.map(({ problems, ...line }: object & { problems: unknown }) => line),
    );
    expect((await owner('GET', '/members/imp_1?group=club')).body).toMatchObject({
      name: 'First',
      playerId: 'imp-p1',
      tier: { name: 'Silver' },
      codes: [
        { code: 'IMP-1', scope: 'group', isPrimary: true },
        { code: 'IMP-1B', isPrimary: false },
      ],
    });
    expect((await owner('GET', '/members/imp_3?group=club')).status).toBe(404);
    expect((await owner('GET', '/codes/IMP-3/check?group=club')).body.holders).toEqual([]);
    expect((await owner('GET', '/members?group=club&q=IMP-5')).body.rows).toEqual([]);
    expect(verdictsOf(await send(csv, false)).filter(([, verdict]) => verdict === 'new')).toEqual([]);
  });

  test('adds codes only to the group, or to all of the creator’s groups', async () => {
    await send('id,name,codes\nimp_scope_1,One,SCOPE-1', false, 'group');
    await send('id,name,codes\nimp_scope_2,Two,SCOPE-2', false, 'global');
    const scopeOf = async (code: string) =>
      (await owner('GET', `/codes/${code}/check?group=club`)).body.credited.scope;
    expect([await scopeOf('SCOPE-1'), await scopeOf('SCOPE-2')]).toEqual(['group', 'global']);
  });

  test.each([
    ['', /csv/],
    ['\n\n', /empty/],
    ['id,shoe size\nx,42', /unknown column "shoe size"/],
    ['id,ID\nx,y', /names the column id twice/],
    ['tier\nSilver', /must include an id, name or codes column/],
    ['id,name\nx,"open', /quote that opens after line 1 is never closed/],
    [`id\n${namesOf('x', 5_001).join('\n')}`, /5001 lines\. Import at most 5000/],
  ])('rejects an unreadable file with the reason: %#', async (csv, message) => {
    const { status, body } = await send(csv, true);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  });

  test('handles a long file in parts, and finds duplicates across parts', async () => {
    const ids = [...namesOf('part', 260), 'part3'];
    const csv = `id,name,codes\n${ids.map((id, index) => `${id},${id},P-${index}`).join('\n')}`;
    for (const isDryRun of [true, false]) {
      const first = await send(csv, isDryRun);
      expect(first.body).toMatchObject({ isDryRun, lineCount: 261, nextLine: 252 });
      const { body } = await owner('POST', '/members/import?group=club', {
        csv,
        codeScope: 'group',
        isDryRun,
        fromLine: first.body.nextLine,
      });
      expect(body.nextLine).toBeNull();
      expect([first.body.lines.length, body.lines.length]).toEqual([250, 11]);
      expect(body.lines.at(-1)).toMatchObject({ line: 262, problems: ['Line 5 already has the id part3.'] });
    }
    expect((await owner('GET', '/members/part259?group=club')).body.codes).toMatchObject([{ code: 'P-259' }]);
  });
});
