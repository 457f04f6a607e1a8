import { type RawBuilder, sql } from 'kysely';

/**
 * Builds an expression for the payee method of a new line: that of the member `m`'s account for the currency of the batch
 * `b`. In euros, a bank account comes before another method. Null if there is none, or if the first choice can't be used
 * yet: money never goes to the method that a new one replaces.
 * @param clockAt current time on the publisher's clock
 */
export const methodOfLine = (publisherId: string, clockAt: Date): RawBuilder<unknown> => sql`(
  select case when p.usable_from <= ${clockAt}::timestamptz then p.method_id end
  from payee_method p
  where p.publisher_id = ${publisherId} and p.account_id = m.account_id and p.approved_at is not null
    and p.ended_at is null and (p.kind <> 'sepa' or b.currency = 'EUR')
  order by p.kind = 'sepa' desc
  limit 1)`;
