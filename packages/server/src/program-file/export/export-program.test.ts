import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { applyProgram } from '../../../test/apply-program.ts';
import { entriesOf, writtenEntries } from '../../../test/audit.ts';
import { useLinking } from '../../../test/linking.ts';
import { testActor } from '../../../test/test-actor.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { endBounty } from '../../bounties/define/end-bounty.ts';
import type { Db } from '../../platform/database/database.ts';
import { toBountyId } from '../../platform/ids.ts';
import { exportProgram } from './export-program.ts';

const { service, db, send, generate, linked, makeMember, authCode, link } = useLinking();

const now = new Date('2026-05-01T00:00:00Z');
const exported = (publisherId: string, from: Db = db()) => exportProgram(from, testActor, publisherId, now);
const versionOf = async (publisherId: string): Promise<bigint> =>
  (
    await db()
      .selectFrom('publisher')
      .select('programme_version')
      .where('publisher_id', '=', publisherId)
      .executeTakeFirstOrThrow()
  ).programme_version;

async function expectNoChange(publisherId: string): Promise<string> {
  const text = await exported(publisherId);
  const version = await versionOf(publisherId);
  expect(await entriesOf(db(), () => applyProgram(db(), text)), text).toEqual([]);
  expect(await versionOf(publisherId), text).toBe(version);
  expect(await exported(publisherId)).toBe(text);
  return text;
}

const text = (maxLength: number) =>
  fc
    .string({
      minLength: 1,
      maxLength,
      unit: fc.oneof(
        fc.constantFrom(...' :#,[]{}"\'&*!|>%@`-?~\\\n\t\u0085\u2028\ufeff'),
        fc.constantFrom('yes', 'null', '0', '1e5', 'é', '林', '🎮', 'a'),
      ),
    })
    .filter((made) => [...made].length <= maxLength && /^[^\0\p{Surrogate}]*$/u.test(made));
/** Arbitrary text in which characters that aren't allowed in names are replaced. */
const shown = (maxLength: number) => text(maxLength).map((made) => made.replaceAll(/\p{Control}/gu, '_'));
const plainText = shown(40);
const percent = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 10_000);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD');
const metadata = fc
  .dictionary(fc.oneof(plainText, fc.constant('__proto__')), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((made): object => {
    const { displayName: _, ...rest } = JSON.parse(JSON.stringify(made));
    return rest;
  });

const member = fc.record({
  name: maybe(shown(60)),
  metadata: maybe(metadata),
  status: maybe(fc.constantFrom('Approved', 'Pending', 'Removed')),
  visible: maybe(fc.boolean()),
  hasTier: fc.boolean(),
  hasPlayer: fc.boolean(),
  codes: fc.array(
    fc.record({
      generated: fc.boolean(),
      managed: fc.boolean(),
      approved: fc.boolean(),
      isOfGroup: fc.boolean(),
      primary: maybe(fc.boolean()),
    }),
    { maxLength: 3 },
  ),
  identities: fc.uniqueArray(plainText, { maxLength: 2 }),
});

const group = fc.record({
  name: maybe(shown(60)),
  revShare: percent,
  codeTTLInDays: maybe(fc.integer({ min: 1, max: 3_650 })),
  holdDays: maybe(fc.integer({ min: 0, max: 3_650 })),
  payoutMinimums: maybe(fc.dictionary(currency, fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }))),
  disabledCurrencies: maybe(fc.array(currency, { maxLength: 3 })),
  tiers: fc.uniqueArray(fc.record({ name: shown(30), revShare: percent }), {
    maxLength: 3,
    selector: ({ name }) => name,
  }),
  skuRevShares: fc.uniqueArray(fc.record({ skuId: text(30), revShare: percent }), {
    maxLength: 3,
    selector: ({ skuId }) => skuId,
  }),
  schedules: fc.array(
    fc.record({
      revShare: maybe(fc.integer({ min: 1, max: 100 })),
      ofTier: fc.integer({ min: 1, max: 100 }),
    }),
    { maxLength: 3 },
  ),
  bounties: fc.uniqueArray(
    fc.record({
      name: shown(30),
      description: maybe(text(200)),
      limit: maybe(fc.option(fc.integer({ min: 1, max: 9 }))),
      hasEnd: fc.boolean(),
      sku: maybe(text(20)),
      count: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    }),
    { maxLength: 2, selector: ({ name }) => name },
  ),
  members: fc.array(member, { maxLength: 5 }),
});

let made = 0;

function programOf(name: string | undefined, groups: readonly fc.RandomType[]): { id: string; text: string };
function programOf(name: unknown, groups: readonly unknown[]): { id: string; text: string } {
  made += 1;
  const id = `random-${made}`;
  const file = {
    publisher: { id, name, apiKeys: [{ name: 'one: key', kind: 'secret' }] },
    groups: (groups as ReadonlyArray<typeof group extends fc.Arbitrary<infer Made> ? Made : never>).map(
      (each, place) => {
        const groupId = `g${place}`;
        const [tier] = each.tiers;
        return {
          ...each,
          id: groupId,
          default: place === groups.length - 1,
          schedules: each.schedules
            .map(({ revShare, ofTier }, year) => ({
              startDate: `20${40 + year}-01-01T00:00:00Z`,
              endDate: `20${41 + year}-01-01T00:00:00Z`,
              revShare,
              ...(tier && { tiers: [{ tier: tier.name, revShare: ofTier }] }),
            }))
            .filter(({ revShare, tiers }) => revShare !== undefined || tiers !== undefined),
          bounties: each.bounties.map(({ hasEnd, sku, count, ...bounty }) => ({
            ...bounty,
            startsAt: '2040-01-01T00:00:00.5Z',
            ...(hasEnd && { endsAt: '2041-01-01T00:00:00+02:00' }),
            objectives: [
              {
                name: 'a',
                type: 'Purchase',
                condition: 'Amount',
                currency: 'USD',
                count,
                ...(sku && { skus: [{ id: sku }] }),
              },
              { name: 'b', type: 'Event', eventCode: sku ?? 'x', count: 2 },
            ],
            rewards: [
              { name: 'r', type: 'External', ...(sku && { externalId: sku }) },
              { name: 'm', type: 'Payment', amount: count, currency: 'JPY' },
            ],
          })),
          members: each.members.map(
            ({ metadata, hasTier, hasPlayer, codes, identities, ...said }, index) => ({
              ...said,
              id: `${id}_${place === 1 && index === 0 ? 'g0_0' : `${groupId}_${index}`}`,
              ...(hasPlayer && { playerId: `p ${index}` }),
              playerMetadata: metadata,
              tier: hasTier ? tier?.name : undefined,
              codes: codes.map(({ isOfGroup, primary, ...code }, number) => ({
                ...code,
                code: `R${made}-${place}-${index}-${number}`,
                ...(primary !== undefined && {
                  primary:
                    primary &&
                    !codes
                      .slice(0, number)
                      .some((earlier) => earlier.primary && earlier.isOfGroup === isOfGroup),
                }),
                ...(isOfGroup && { group: groupId }),
              })),
              identities: identities.map((identity) => ({
                provider: 'twitch',
                id: `${made} ${place} ${index} ${identity}`,
              })),
            }),
          ),
        };
      },
    ),
  };
  return { id, text: JSON.stringify(file) };
}

test('the export of any program changes nothing when applied, and creates the same program elsewhere', {
  timeout: 60_000,
}, async () => {
  const other = await createTestDatabase();
  onTestFinished(other.drop);
  await fc.assert(
    fc.asyncProperty(
      maybe(shown(60)),
      fc.array(group, { minLength: 1, maxLength: 2 }),
      async (name, groups) => {
        const program = programOf(name, groups as never);
        await applyProgram(db(), program.text);
        const written = await expectNoChange(program.id);
        await applyProgram(other.database.db, written);
        expect(await exported(program.id, other.database.db)).toBe(written);
      },
    ),
    { numRuns: 20 },
  );
});

test('the export also changes nothing with API, linked, claimed, ended and inexpressible entries', async () => {
  await generate('main', 'made-by-api', {
    playerMetadata: { displayName: 'Ma: de', deep: { b: 1, a: [2] } },
  });
  await linked('main', await makeMember('main', 'Linking'), 'p-linking');
  const claimed = await generate('main', 'claimed-player');
  expect(claimed).toBeTruthy();
  const claimer = await makeMember('main', 'Claimer');
  await link('main', { authCode: await authCode(claimer), playerId: 'claimed-player' });
  const day = (date: string) => `2050-01-${date}T00:00:00Z`;
  for (const window of [
    { startDate: day('01'), endDate: day('02'), revShare: 1 },
    {
      startDate: day('03'),
      endDate: day('04'),
      tierRevenueShares: [{ tierId: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', revShare: 33.3333 }],
    },
  ])
    expect(await send('POST', '/scheduled-rev-shares?groupId=main', window)).toMatchObject({ status: 200 });
  const { body } = await send('POST', '/scheduled-rev-shares?groupId=main', {
    startDate: day('05'),
    endDate: day('06'),
    revShare: 9,
  });
  const instant = { startDate: day('07'), endDate: day('07'), revShare: 9 };
  expect(await send('PUT', `/scheduled-rev-shares/${body.id}?groupId=main`, instant)).toMatchObject({
    status: 200,
  });
  await service().provision(`{ publisher: { id: aurora }, groups: [ { id: main, bounties: [
    { id: never-began, name: Never, startsAt: 2050-01-01T00:00:00Z, objectives: [ { name: o, type: Purchase, count: 1 } ], rewards: [ { name: r, type: External } ] },
    { id: took-away, name: Took, limit: null, startsAt: 2020-01-01T00:00:00Z, objectives: [ { name: o, type: Purchase, count: 1 }, { name: p, type: NewPlayers, count: 1 } ], rewards: [ { name: r, type: Sku, sku: { id: s } } ] } ] } ] }`);
  await service().provision(`{ publisher: { id: aurora }, groups: [ { id: main, bounties: [
    { id: took-away, name: Took, limit: null, startsAt: 2020-01-01T00:00:00Z, endsAt: 2060-01-01T00:00:00Z, objectives: [ { name: o, type: Purchase, count: 1 } ], rewards: [ { name: r, type: Sku, sku: { id: s } } ] } ] } ] }`);
  for (const bountyId of ['never-began', 'took-away'])
    await endBounty(db(), testActor, { publisherId: 'aurora', bountyId: toBountyId(bountyId) }, now);
  const written = await expectNoChange('aurora');
  expect(written).toContain(`# Left out, because a file can't express it: schedule ${body.id}`);
  expect(written).toContain("# Left out, because a file can't express it: bounty never-began");
  expect(written).toContain('{ id: acc_alice, name: Alice, playerId: p-1, ');
  expect(written).toContain('{ name: backend, kind: secret }');
  expect(written).not.toMatch(/svc_[sp]k_/);
});

describe('over the admin API', () => {
  const path = '/program-file';

  test('a manager can download the file, which is recorded in the audit log', async () => {
    const ask = await asRole(service(), 'manager');
    const answer = await ask('GET', path);
    expect(answer).toMatchObject({
      status: 200,
      text: expect.stringContaining('publisher:\n  id: aurora\n'),
    });
    expect(answer.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="aurora.yaml"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await writtenEntries(db())).at(-1)).toMatchObject({
      action: 'program.export',
      target: 'publisher:aurora',
      actor_kind: 'token',
    });
    expect(await entriesOf(db(), () => applyProgram(db(), answer.text))).toEqual([]);
  });

  test('other roles and other publishers cannot download the file', async () => {
    const { owner, manager, ...others } = await asEveryRole(service());
    expect(await owner('GET', path)).toMatchObject({ status: 200 });
    for (const [role, ask] of Object.entries(others))
      expect(await ask('GET', path), role).toMatchObject({ status: 403 });
    const rival = await asRole(service(), 'owner', 'rival');
    expect(await rival('GET', `/admin/v1/publishers/aurora${path}`)).toMatchObject({ status: 404 });
    expect((await rival('GET', path)).text).not.toContain('aurora');
  });
});
