import { type RawBuilder, sql } from 'kysely';
import { aheadMsAt } from '../../../publishers/publisher-time.ts';
import { joinEnd } from '../../gates/gates.ts';
import { lookUp } from './look-up.ts';
import { rule } from './rules.ts';

/*
 * Rules about the creator of a payout's line, who is known from the relation `picked` (payout-rules.ts). Lines without a
 * stored time, and payouts without stored needs, are older than these columns and are not checked.
 */

const later = (publisherId: string, at: string): RawBuilder<unknown> => sql`
  ${sql.ref(at)} + ${aheadMsAt(publisherId, sql.ref(at))} * interval '1 millisecond'`;

/**
 * Returns the lines that a gate should have kept out of their payout, at its cutoff or when they were created. A gate
 * and a line with the same time may have been saved in either order. Lines of a creator who has claimed other accounts
 * aren't checked, because those accounts may have had the lines at the time.
 */
export const brokenGates = (publisherId: string): RawBuilder<unknown> => sql`
  select ${rule('gate')}, 'payout item ' || gated.item_id
  from (
    select i.item_id, i.account_id, i.needs_tax_cleared,
           bool_or(g.kind = 'review' and (g.was_in_effect or g.was_set_since)) as was_under_review,
           bool_or(g.kind = 'tax' and g.was_in_effect) as was_cleared,
           bool_or(g.kind = 'tax' and g.was_open) as was_still_cleared
    from (
      select picked.*, ${later(publisherId, 'picked.as_of')} as clock_at
      from picked
      where made_at is not null
    ) i
    left join lateral (
      select g.kind,
             g.set_at <= i.as_of and g.from_at <= i.clock_at and ends.after_cutoff
               and (e.ended_at is null or e.ended_at > i.as_of) as was_in_effect,
             g.set_at > i.as_of and g.set_at < i.made_at and ends.after_cutoff
               and (e.ended_at is null or e.ended_at > i.made_at) as was_set_since,
             g.set_at <= i.made_at and g.from_at <= i.clock_at and ends.after_cutoff
               and (e.ended_at is null or e.ended_at >= i.made_at) as was_open
      from payee_gate g
      ${joinEnd(publisherId)}
      cross join lateral (select g.until_at is null or g.until_at > i.clock_at as after_cutoff) ends
      where g.publisher_id = ${publisherId} and g.account_id = i.account_id
      offset 0
    ) g on true
    group by i.item_id, i.account_id, i.needs_tax_cleared
    offset 0
  ) gated
  where (was_under_review is true or (needs_tax_cleared and (was_cleared and was_still_cleared) is not true))
    and not exists (select 1 from creator_account claimed where claimed.claimed_by = gated.account_id)`;

/**
 * Returns the lines whose payout method belongs to another creator or couldn't be used when the lines were created, and
 * the lines without a method in payouts that needed one. A claimed creator's method pays lines of the creator who
 * claimed it.
 */
export const brokenMethods = (publisherId: string): RawBuilder<unknown> => sql`
  select ${rule('method')}, 'payout item ' || i.item_id
  from (
    select picked.*, ${later(publisherId, 'picked.made_at')} as clock_made_at
    from picked
    where method_id is not null or needs_method
    offset 0
  ) i
  ${lookUp('payee_method', 'p', sql`publisher_id = ${publisherId} and method_id = i.method_id`)}
  left join creator_account payee on payee.account_id = p.account_id
  left join creator_account own on own.account_id = i.account_id
  where p.method_id is null
     or coalesce(payee.claimed_by, p.account_id) <> coalesce(own.claimed_by, i.account_id)
     or (p.kind = 'sepa' and i.currency <> 'EUR')
     or p.approved_at is null
     or p.approved_at > i.made_at or p.ended_at < i.made_at or p.usable_from > i.clock_made_at`;
