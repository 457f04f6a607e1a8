import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { useLinking } from '../../../test/linking.ts';
import { systemClock } from '../../platform/clock.ts';

const at = useLinking();
const { service, earn, settle, patch, generate, makeMember, linked, makeEmptyGroup } = at;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});

const held = (): string => new Date(systemClock.now().getTime() - 86_400_000).toISOString();
const rowsOf = async (group: string, asOf = '') => {
  const { status, body } = await finance('GET', `/payouts/preview?group=${group}${asOf && `&asOf=${asOf}`}`);
  expect(status).toBe(200);
  return body;
};
const inShort = (body: { rows: Record<string, string>[] }) =>
  body.rows.map(({ name, state, amountMinor, laterMinor }) => [name, state, amountMinor, laterMinor]);

describe('the amount owed later, in a preview with an earlier cutoff', () => {
  test('is negative when everything due has been reversed since', async () => {
    await makeEmptyGroup('gone');
    await makeMember('gone', 'GONE');
    const { transactionId } = await earn('gone', 'A', 700, { code: 'GONE' });
    await settle();
    const seen = await rowsOf('gone');
    expect(inShort(seen)).toMatchObject([[expect.any(String), 'due', '700', '0']]);
    await patch(transactionId, { form: { action: 'Refund' } });
    expect(inShort(await rowsOf('gone', seen.asOf))).toMatchObject([
      [expect.any(String), 'due', '700', '-700'],
    ]);
  });

  test('stays separate for members that have since merged', async () => {
    await makeEmptyGroup('two');
    const code = await generate('two', 'p-two');
    const creator = await makeMember('two', 'TWO');
    await earn('two', 'A', 700, { code });
    await earn('two', 'A', 50, { code, transactionDate: held() });
    await earn('two', 'A', 300, { code: 'TWO' });
    await earn('two', 'A', 20, { code: 'TWO', transactionDate: held() });
    await settle();
    const seen = await rowsOf('two');
    expect(seen.rows).toHaveLength(2);
    await linked('two', creator, 'p-two');
    expect(inShort(await rowsOf('two'))).toMatchObject([[expect.any(String), 'due', '1000', '70']]);
    const again = await rowsOf('two', seen.asOf);
    expect(again.totals).toEqual(seen.totals);
    const sums = (body: typeof seen) =>
      body.rows.map(({ amountMinor, laterMinor, heldUntil }: Record<string, string | null>) => [
        amountMinor,
        laterMinor,
        heldUntil,
      ]);
    expect(sums(again)).toEqual(sums(seen));
  });
});

test('a group is due for the combined earnings of merged memberships', async () => {
  await makeEmptyGroup('both', 'payoutMinimums: { USD: 1000 }');
  const code = await generate('both', 'p-both');
  const creator = await makeMember('both', 'BOTH');
  await earn('both', 'A', 700, { code });
  await earn('both', 'A', 300, { code: 'BOTH' });
  await settle();
  const due = async () => (await finance('GET', '/attention?group=both')).body.due;
  expect(await due()).toEqual([]);
  await linked('both', creator, 'p-both');
  expect(await due()).toEqual([{ groupId: 'both', currency: 'USD' }]);
});
