import { type RawBuilder, sql } from 'kysely';
import type { PayoutNeeds } from '../../../publishers/payout-needs.ts';

/** Columns with a creator's account and a currency. */
export interface MethodColumns {
  accountId: string;
  currency: string;
}

interface MethodScope {
  publisherId: string;
  /** Cutoff on the service's clock. */
  asOf: Date;
  needs: PayoutNeeds;
}

/** Returns the conditions for a method `p` that can pay a creator in a currency, once it is usable. */
const ofCreator = (publisherId: string, { accountId, currency }: MethodColumns): RawBuilder<unknown> => sql`
  p.publisher_id = ${publisherId} and p.account_id = ${sql.ref(accountId)}
  and (p.kind <> 'sepa' or ${sql.ref(currency)} = 'EUR')`;

/** Sort order that puts a bank account before other methods. */
const firstChoice = sql`order by p.kind = 'sepa' desc limit 1`;

/**
 * Builds an expression for the payout method of a new line: the method of the creator's account for the currency. Null
 * if there is none, or if the first choice can't be used yet, because money is never sent to a method that a new one
 * replaces.
 * @param clockAt current time on the publisher's clock
 */
export const methodOfLine = (
  publisherId: string,
  clockAt: Date,
  columns: MethodColumns,
): RawBuilder<unknown> => sql`(
  select case when p.usable_from <= ${clockAt}::timestamptz then p.method_id end
  from payee_method p
  where ${ofCreator(publisherId, columns)} and p.approved_at is not null and p.ended_at is null
  ${firstChoice})`;

/**
 * Builds an expression for the time on the publisher's clock from which the creator's first choice at the cutoff can be
 * used. Null if the creator had no method then, or if payouts need none.
 */
export const methodUsableFrom = (
  { publisherId, asOf, needs }: MethodScope,
  columns: MethodColumns,
): RawBuilder<Date | null> =>
  needs.method
    ? sql<Date | null>`(
  select p.usable_from
  from payee_method p
  where ${ofCreator(publisherId, columns)} and p.approved_at <= ${asOf} and (p.ended_at is null or p.ended_at > ${asOf})
  ${firstChoice})`
    : sql<Date | null>`null::timestamptz`;

/** Builds a condition for a creator without a method that a new line could be paid with, although payouts need one. */
export const lacksMethod = (
  { publisherId, needs }: MethodScope,
  clockAt: Date,
  columns: MethodColumns,
): RawBuilder<boolean> =>
  needs.method ? sql<boolean>`${methodOfLine(publisherId, clockAt, columns)} is null` : sql<boolean>`false`;
