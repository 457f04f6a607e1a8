import { type RawBuilder, sql } from 'kysely';

/**
 * Returns a query for the objectives of a bounty with a member's totals, as the JSON array `list`, in their order.
 * @param row relation with the columns `bounty_id` and `membership_id`
 * @param fields names and values of the objective `o`, to which `total` is added
 */
export const currentObjectives = (
  publisherId: string,
  row: string,
  fields: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object(${fields}, 'total', coalesce(t.total, 0)::text)
                           order by o.position, o.objective_id), '[]') as list
  from bounty_objective o
  left join bounty_total t
    on t.publisher_id = ${publisherId} and t.objective_id = o.objective_id
   and t.membership_id = ${sql.ref(`${row}.membership_id`)}
  where o.publisher_id = ${publisherId} and o.bounty_id = ${sql.ref(`${row}.bounty_id`)} and o.removed_at is null`;
