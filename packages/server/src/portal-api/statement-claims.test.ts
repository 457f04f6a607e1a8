import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useStatements } from '../../test/statements.ts';

const scene = await useStatements();
const { portal, months, amounts, makeMember } = scene;
const { earn, settle, refund, query } = portal;

describe('a claim', () => {
  test.each([
    ['moves', false],
    ['merges', true],
  ])('in the middle of a month that %s a member brings in its balance', async (_, isMember) => {
    const player = `p-claim-${scene.number}`;
    const claimed = await portal.generate(scene.group, player);
    const own = `OWN-${scene.number}`;
    const claimer = isMember ? await makeMember(own) : await portal.makeOutsider(own);
    await earn(scene.group, 'A', 250, { code: claimed });
    if (isMember) await earn(scene.group, 'A', 30, { code: own });
    await settle();
    const month = await months.close();
    await earn(scene.group, 'A', 5, { code: claimed });
    await settle();
    await portal.linked(scene.group, claimer, player);
    await earn(scene.group, 'A', 7, { code: claimed });
    await settle();
    const next = await months.close();
    const late = await earn(scene.group, 'A', 1_000, { code: claimed });
    await settle();
    await refund(late.transactionId, { refundId: 'x', amount: 400, reason: 'Refund' });
    const last = await months.close();
    scene.browser = await portal.creator(`claimer-${scene.number}@example.com`, claimer);
    const shown = await amounts();
    expect(shown).toHaveLength(isMember ? 4 : 3);
    expect(shown).toEqual(
      expect.arrayContaining(
        isMember
          ? [
              [month, { earned: 250, closing: 250 }],
              [month, { earned: 30, closing: 30 }],
              [next, { opening: 30, earned: 12, claimed: 250, closing: 292 }],
              [last, { opening: 292, earned: 1_000, reversed: -400, closing: 892 }],
            ]
          : [
              [month, { earned: 250, closing: 250 }],
              [next, { opening: 250, earned: 12, closing: 262 }],
              [last, { opening: 262, earned: 1_000, reversed: -400, closing: 862 }],
            ],
      ),
    );
  });

  test('after the end of a month, but before it is closed, belongs to the next month', async () => {
    const claimed = await portal.generate(scene.group, `p-late-${scene.number}`);
    const claimer = await makeMember(`LATE-${scene.number}`);
    await earn(scene.group, 'A', 66, { code: claimed });
    await settle();
    const month = await months.end();
    await portal.linked(scene.group, claimer, `p-late-${scene.number}`);
    await months.issue();
    const next = await months.close();
    scene.browser = await portal.creator(`late-${scene.number}@example.com`, claimer);
    expect(await amounts()).toEqual([
      [month, { earned: 66, closing: 66 }],
      [next, { claimed: 66, closing: 66 }],
    ]);
  });

  test('of a member who was already claimed in the month that ended belongs to the next month, too', async () => {
    const player = `p-chain-${scene.number}`;
    const first = await portal.generate(scene.group, player);
    const between = await makeMember(`BETWEEN-${scene.number}`);
    const last = await makeMember(`LAST-${scene.number}`);
    await earn(scene.group, 'A', 100, { code: first });
    await earn(scene.group, 'A', 20, { code: `BETWEEN-${scene.number}` });
    await settle();
    const before = await months.close();
    await portal.linked(scene.group, between, player);
    await earn(scene.group, 'A', 5, { code: first });
    await earn(scene.group, 'A', 3, { code: `LAST-${scene.number}` });
    await settle();
    const month = await months.end();
    // The publisher manages the codes again.
    await query(sql`update group_code set is_managed = true where group_id = ${scene.group}`);
    await portal.linked(scene.group, last, player);
    await months.issue();
    const next = await months.close();
    scene.browser = await portal.creator(`chain-${scene.number}@example.com`, last);
    const shown = await amounts();
    expect(shown).toHaveLength(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        [before, { earned: 100, closing: 100 }],
        [before, { earned: 20, closing: 20 }],
        [month, { opening: 20, earned: 5, claimed: 100, closing: 125 }],
        [month, { earned: 3, closing: 3 }],
        [next, { opening: 3, claimed: 125, closing: 128 }],
      ]),
    );
  });

  test('of a member who claimed another one in the month before brings in both balances', async () => {
    const player = `p-both-${scene.number}`;
    const first = await portal.generate(scene.group, player);
    const between = await makeMember(`MID-${scene.number}`);
    const last = await makeMember(`END-${scene.number}`);
    await earn(scene.group, 'A', 100, { code: first });
    await settle();
    const before = await months.close();
    await portal.linked(scene.group, between, player);
    const middle = await months.close();
    await query(sql`update group_code set is_managed = true where group_id = ${scene.group}`);
    await portal.linked(scene.group, last, player);
    const next = await months.close();
    scene.browser = await portal.creator(`both-${scene.number}@example.com`, last);
    const shown = await amounts();
    expect(shown).toHaveLength(3);
    expect(shown).toEqual(
      expect.arrayContaining([
        [before, { earned: 100, closing: 100 }],
        [middle, { claimed: 100, closing: 100 }],
        [next, { claimed: 100, closing: 100 }],
      ]),
    );
  });
});
