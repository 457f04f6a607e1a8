import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { useMoney } from '../../../test/money.ts';

const { service, query, settle, patch, provisionGroup, earn } = useMoney({
  clock: { now: () => new Date('2026-06-15T12:00:00Z') },
});
const on = (day: string) => `2026-${day}T12:00:00.000Z`;

describe('rising creators', () => {
  const june = 'from=2026-06-09&until=2026-06-16';
  const rising = async (group: string, query = june) =>
    (
      await (
        await asRole(service(), 'viewer')
      )('GET', `/rising-creators?currency=USD&group=${group}&${query}`)
    ).body.rows;
  const makeRivals = async (group: string, names: readonly string[]): Promise<void> => {
    const members = names.map(
      (name) =>
        `{ id: acc_${group}_${name}, name: ${name}, playerId: p-${name}, codes: [ { code: M-${name}, group: ${group} } ] }`,
    );
    await provisionGroup(group, `revShare: 10, members: [ ${members.join(', ')} ]`);
  };
  const earned = (group: string, name: string, amount: number, day: string, changes = {}) =>
    earn(group, name as 'A', amount, { transactionDate: on(day), ...changes });

  test('are those who gained the most places; equal earnings share a place, and new creators are marked', async () => {
    await makeRivals('race', ['A', 'B', 'C', 'D', 'E', 'F']);
    for (const [name, amount] of Object.entries({ A: 900, B: 800, C: 700, D: 700, F: 10 }))
      await earned('race', name, amount, '06-03');
    for (const [name, amount] of Object.entries({ A: 500, B: 600, C: 600, D: 2_000, E: 600 }))
      await earned('race', name, amount, '06-12');
    await earned('race', 'F', 90, '06-12', { currency: 'EUR' });
    await settle();
    const of = (name: string) => ({ memberId: `acc_race_${name}`, name });
    expect(await rising('race')).toEqual([
      { creator: of('E'), place: 2, placeBefore: null, shareMinor: '600', isNew: true },
      { creator: of('D'), place: 1, placeBefore: 3, shareMinor: '2000', isNew: false },
      { creator: of('C'), place: 2, placeBefore: 3, shareMinor: '600', isNew: false },
    ]);
    expect(await rising('race', 'from=2026-06-02&until=2026-06-09')).toMatchObject([
      { creator: of('A'), place: 1, placeBefore: null, isNew: false },
      { creator: of('B'), place: 2 },
      { creator: of('C'), place: 3 },
      { creator: of('D'), place: 3 },
      { creator: of('F'), place: 5 },
    ]);
    expect((await rising('race', `${june}&compare=year`)).map((row: { place: number }) => row.place)).toEqual(
      [1, 2, 2, 2, 5],
    );
  });

  test('leave at most two places to newcomers while three others climbed, however high the newcomers are', async () => {
    const [old, fresh] = [
      ['A', 'B', 'C', 'D', 'E', 'F'],
      ['V', 'W', 'X', 'Y', 'Z'],
    ] as const;
    await makeRivals('crowd', [...old, ...fresh]);
    for (const [at, name] of old.entries()) await earned('crowd', name, 100 - at, '06-03');
    for (const [at, name] of fresh.entries()) await earned('crowd', name, 900 - at, '06-12');
    await settle();
    const names = async () =>
      (await rising('crowd')).map((row: { creator: { name: string } }) => row.creator.name).join('');
    expect(await names(), 'no one else climbed').toBe('VWXYZ');
    await earned('crowd', 'F', 3_000, '06-12');
    await earned('crowd', 'E', 2_000, '06-12');
    await settle();
    expect(await names(), 'two others climbed').toBe('FVWEX');
    await earned('crowd', 'D', 1_500, '06-12');
    await settle();
    expect(await names(), 'three others climbed').toBe('FVWED');
  });

  test('are placed without reversed shares', async () => {
    await makeRivals('refunded', ['A', 'B']);
    await earned('refunded', 'A', 100, '06-03');
    await earned('refunded', 'B', 90, '06-03');
    await earned('refunded', 'A', 100, '06-12');
    await earned('refunded', 'B', 50, '06-12');
    const { transactionId } = await earned('refunded', 'B', 200, '06-12', { transactionId: 'refunded-1' });
    await settle();
    expect(await rising('refunded')).toMatchObject([
      { creator: { name: 'B' }, place: 1, placeBefore: 2, shareMinor: '250' },
    ]);
    await patch(transactionId, { json: { action: 'Refund' } });
    expect(await rising('refunded')).toEqual([]);
  });

  test('include the earnings of merged memberships, which also decide who is new', async () => {
    await makeRivals('joined', ['A', 'B', 'C']);
    await earned('joined', 'A', 100, '06-12');
    await earned('joined', 'B', 300, '06-12');
    await earned('joined', 'C', 10, '04-01');
    await settle();
    expect(await rising('joined')).toMatchObject([
      { creator: { name: 'B' }, isNew: true },
      { creator: { name: 'A' }, isNew: true },
    ]);
    for (const name of ['B', 'C'])
      await query(sql`
        update membership
        set status = 'Removed', merged_at = now(),
            merged_into = (select membership_id from membership where publisher_id = 'aurora' and account_id = 'acc_joined_A')
        where publisher_id = 'aurora' and account_id = ${`acc_joined_${name}`}`);
    expect(await rising('joined')).toEqual([
      {
        creator: { memberId: 'acc_joined_A', name: 'A' },
        place: 1,
        placeBefore: null,
        shareMinor: '400',
        isNew: false,
      },
    ]);
  });

  test('are never those of another publisher', async () => {
    const rival = await asRole(service(), 'owner', 'rival');
    expect((await rival('GET', `/rising-creators?currency=USD&${june}`)).body.rows).toEqual([]);
  });

  test('are rejected without a currency, and for more than 92 days', async () => {
    const owner = await asRole(service(), 'owner');
    for (const days of [
      june,
      `currency=dollars&${june}`,
      'currency=USD&from=2026-03-01&until=2026-06-16',
      `currency=USD&compare=none&${june}`,
    ])
      expect(await owner('GET', `/rising-creators?${days}`), days).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
  });
});
