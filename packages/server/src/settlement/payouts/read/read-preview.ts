import { type RawBuilder, sql } from 'kysely';
import { standingAt } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../../platform/database/tables.generated.ts';
import type { PayoutNeeds } from '../../../publishers/payout-needs.ts';
import type { PayoutRequest } from '../create/plan-payout.ts';
import { type OnHold, type PreviewedPayable, previewPayout } from '../create/preview-payout.ts';
import { readCreatorReasons, readInPayouts } from '../read-waiting-rest.ts';
import { inHoldPeriod, type WaitingAmount } from '../waiting.ts';

/** Member states in a preview, in listing order. */
export const payableStates = ['due', 'below-minimum', 'blocked', 'repaying', 'on-hold', 'held'] as const;
export type PayableState = (typeof payableStates)[number];

/** Amount that a payout would pay a member in one currency, and the amount still owed afterward. */
export interface PreviewRow {
  membershipId: MembershipId;
  memberId: AccountId;
  name: string;
  playerId: string | null;
  currency: string;
  state: PayableState;
  rowCount: number;
  paymentsMinor: bigint;
  rewardsMinor: bigint;
  adjustmentsMinor: bigint;
  /** Amount to pay; negative if clawbacks exceed the earnings. */
  amountMinor: bigint;
  minimumMinor: bigint;
  /**
   * Amount that is owed now but neither included in the payout nor on hold, because it is still in its hold
   * period or was earned after the cutoff.
   */
  laterMinor: bigint;
  /** Amount that holds keep out of the payout; null if there is none. */
  onHold: OnHold | null;
  /** Everything past its hold period that the payout doesn't pay, each amount with its reasons. */
  waiting: WaitingAmount[];
}

export interface Preview {
  /** Cutoff on the publisher's clock. */
  asOf: Date;
  /** Cutoff on the service's clock. */
  cutoff: Date;
  holdMs: number;
  heldAfter: Date;
  needs: PayoutNeeds;
  rows: PreviewRow[];
}

/**
 * Calculates the amounts that a payout of a group would pay. Lists all members with a balance, each with its
 * state. A payout created with the preview's cutoff pays exactly the previewed amounts to the members who are
 * due a payment.
 * @throws Refusal for the same reasons as previewPayout
 */
export async function readPreview(db: Db, request: PayoutRequest): Promise<Preview> {
  const { asOf, cutoff, holdMs, heldAfter, needs, payables } = await previewPayout(db, request);
  const rows = rowsOf(payables, await readOwed(db, request, { cutoff }));
  return { asOf, cutoff, holdMs, heldAfter, needs, rows };
}

/** Combines what a payout would pay with what is owed, in listing order. */
export function rowsOf(payables: readonly PreviewedPayable[], owed: ReadonlyMap<string, Owed>): PreviewRow[] {
  const balances = new Map(owed);
  const rows = payables.map((each): PreviewRow => {
    const key = keyOf(each);
    const owedMinor = balances.get(key)?.balanceMinor ?? 0n;
    balances.delete(key);
    const { isDue, rewardCount, blocks, ...payable } = each;
    return {
      ...payable,
      state: stateOf(each),
      laterMinor: owedMinor - each.amountMinor - (each.onHold?.amountMinor ?? 0n),
    };
  });
  for (const { balanceMinor, ...member } of balances.values())
    rows.push({
      ...member,
      state: 'held',
      rowCount: 0,
      paymentsMinor: 0n,
      rewardsMinor: 0n,
      adjustmentsMinor: 0n,
      amountMinor: 0n,
      minimumMinor: 0n,
      laterMinor: balanceMinor,
      onHold: null,
      waiting: [],
    });
  const nonZero = rows.filter(
    ({ amountMinor, laterMinor, adjustmentsMinor, onHold }) =>
      amountMinor !== 0n || laterMinor !== 0n || adjustmentsMinor !== 0n || onHold !== null,
  );
  return nonZero.sort(compareRows);
}

type RowKey = Pick<PreviewRow, 'membershipId' | 'currency'>;
const keyOf = ({ membershipId, currency }: RowKey): string => `${currency} ${membershipId}`;

function stateOf({ isDue, amountMinor, adjustmentsMinor, onHold, blocks }: PreviewedPayable): PayableState {
  if (isDue) return 'due';
  if (amountMinor > 0n) return blocks.every((block) => block === 'minimum') ? 'below-minimum' : 'blocked';
  if (adjustmentsMinor < 0n) return 'repaying';
  return onHold === null ? 'held' : 'on-hold';
}

/** Returns the sort key of a row: currency, state, then amount, largest first. */
export const placeOf = (row: PreviewRow): string[] => [
  row.currency,
  row.state,
  String(magnitude(row)),
  row.membershipId,
];

/**
 * Returns whether one place comes after another. A page starts after a place, not at an index, because each
 * page reads the currently held amounts, so rows may appear or disappear between pages.
 */
export const isAfter = (place: readonly string[], other: readonly string[]): boolean =>
  compare(place, other) > 0;

const compareRows = (one: PreviewRow, other: PreviewRow): number => compare(placeOf(one), placeOf(other));

function compare(
  [currency = '', state = '', size = '0', membershipId = '']: readonly string[],
  [otherCurrency = '', otherState = '', otherSize = '0', otherId = '']: readonly string[],
): number {
  if (currency !== otherCurrency) return currency < otherCurrency ? -1 : 1;
  const states = placeOfState(state) - placeOfState(otherState);
  if (states !== 0) return states;
  if (size !== otherSize) return BigInt(size) > BigInt(otherSize) ? -1 : 1;
  return membershipId === otherId ? 0 : membershipId < otherId ? -1 : 1;
}

const placeOfState = (state: string): number => (payableStates as readonly string[]).indexOf(state);

function magnitude({ amountMinor, laterMinor, onHold, state }: PreviewRow): bigint {
  if (state === 'held') return laterMinor;
  if (state === 'on-hold') return onHold?.amountMinor ?? 0n;
  return amountMinor < 0n ? -amountMinor : amountMinor;
}

/** Member with a balance. */
export type Owed = Pick<PreviewRow, 'membershipId' | 'memberId' | 'name' | 'playerId' | 'currency'> & {
  balanceMinor: bigint;
};

/** Reads the current nonzero balances, by currency and by membership. Merges up to the cutoff are applied. */
export async function readOwed(
  db: Db | Tx,
  { publisherId, groupId, currency }: PayoutRequest,
  { cutoff, membershipIds }: { cutoff: Date; membershipIds?: readonly MembershipId[] },
): Promise<Map<string, Owed>> {
  const { rows } = await sql<{
    membership_id: MembershipId;
    account_id: AccountId;
    name: string;
    player_id: string | null;
    currency: string;
    balance_minor: string;
  }>`
    select m.membership_id, m.account_id, a.name, m.player_id, b.currency, sum(b.balance_minor)::text as balance_minor
    from member_balance b
    join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = b.membership_id
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standingAt(publisherId, 'recorded', cutoff)}
    join creator_account a on a.account_id = m.account_id
    where b.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${inCurrency(currency)}
      ${membershipIds === undefined ? sql`` : sql`and b.membership_id = any(${[...membershipIds]}::uuid[])`}
    group by m.membership_id, m.account_id, a.name, m.player_id, b.currency
    having sum(b.balance_minor) <> 0`.execute(db);
  return new Map(
    rows.map((row) => {
      const owed = {
        membershipId: row.membership_id,
        memberId: row.account_id,
        name: row.name,
        playerId: row.player_id,
        currency: row.currency,
        balanceMinor: BigInt(row.balance_minor),
      };
      return [keyOf(owed), owed];
    }),
  );
}

const inCurrency = (currency: string | null): RawBuilder<unknown> =>
  currency === null ? sql`true` : sql`b.currency = ${currency}`;

/**
 * Returns when the first hold period ends among each key's held rows and rewards.
 * @param keys keys of the preview's rows
 * @returns times in the order of `keys`; null if nothing is held and the other amount was earned after the
 * cutoff
 */
export async function readHeldUntil(
  db: Db | Tx,
  { publisherId, groupId }: PayoutRequest,
  { cutoff, holdMs, heldAfter }: Pick<Preview, 'cutoff' | 'holdMs' | 'heldAfter'>,
  keys: readonly RowKey[],
): Promise<(Date | null)[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ place: bigint; earliest: Date | null }>`
    select wanted.place, min(least(held.at, rewarded.at)) as earliest
    from unnest(${keys.map(({ membershipId }) => membershipId)}::uuid[], ${keys.map(({ currency }) => currency)}::text[])
      with ordinality as wanted (membership_id, currency, place)
    join membership recorded
      on recorded.publisher_id = ${publisherId} and recorded.group_id = ${groupId}
     and ${standingAt(publisherId, 'recorded', cutoff)} = wanted.membership_id
    left join lateral (
      select a.transaction_date as at
      from attribution a
      where a.publisher_id = ${publisherId} and a.membership_id = recorded.membership_id and a.transaction_date > ${heldAfter}
        and a.currency = wanted.currency and not a.is_test
        and not exists (
          select 1
          from payment p
          where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
            and (p.reversed_at is not null or p.payout_batch_id is not null)
        )
      order by a.transaction_date
      limit 1
    ) held on true
    left join lateral (
      select min(w.earned_at) as at
      from reward_payment w
      where w.publisher_id = ${publisherId} and w.membership_id = recorded.membership_id and w.currency = wanted.currency
        and w.earned_at > ${heldAfter} and w.payout_batch_id is null
    ) rewarded on true
    group by wanted.place`.execute(db);
  const byPlace = new Map(rows.map(({ place, earliest }) => [Number(place), earliest]));
  return keys.map((_, index) => {
    const earliest = byPlace.get(index + 1) ?? null;
    return earliest === null ? null : new Date(earliest.getTime() + holdMs);
  });
}

/** Row with the end of its hold period, and with all of the member's waiting amounts. */
export interface CompleteRow extends PreviewRow {
  heldUntil: Date | null;
}

/** Adds what changes too quickly to be cached with a preview: the ends of hold periods, and amounts in other payouts. */
export async function completeRows(
  db: Db | Tx,
  request: PayoutRequest,
  preview: Pick<Preview, 'asOf' | 'cutoff' | 'holdMs' | 'heldAfter' | 'needs'>,
  rows: readonly PreviewRow[],
): Promise<CompleteRow[]> {
  const { publisherId, groupId } = request;
  const { asOf: clockAt, cutoff: asOf, needs } = preview;
  const heldUntil = await readHeldUntil(db, request, preview, rows);
  const scope = { publisherId, groupId, asOf, clockAt, needs };
  const creators = await readCreatorReasons(db, scope, rows);
  const inPayouts = await readInPayouts(db, { publisherId, groupId, cutoff: asOf }, rows);
  return rows.map((row, index) => {
    const until = heldUntil[index] ?? null;
    const later = inHoldPeriod(row.laterMinor, until, creators[index]);
    return { ...row, heldUntil: until, waiting: [...row.waiting, ...later, ...(inPayouts[index] ?? [])] };
  });
}
