import { sql } from 'kysely';
import { mergedInto, standing } from '../../members/standing.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { CompletionId } from '../../platform/database/tables.generated.ts';
import type { Completion } from './reward-event.ts';

/**
 * Reads the dates of completions that are earned in the future. Purchases and events may have future dates,
 * and a reward isn't payable before it is earned. For each objective, contributions count in date order until
 * they reach the completion's target. The caller must have locked the members and read their totals.
 * @returns dates by completion, excluding completions that past contributions already reach
 */
export async function readEarnedAt(
  tx: Tx,
  publisherId: string,
  completions: readonly Completion[],
  now: Date,
): Promise<ReadonlyMap<CompletionId, Date>> {
  const wanted = completions.flatMap(({ id, number, progress: { membershipId, objectives } }) =>
    objectives.map((objective) => ({
      id,
      membershipId,
      objectiveId: objective.id,
      needed: String(BigInt(number) * BigInt(objective.count)),
    })),
  );
  if (wanted.length === 0) return new Map();
  const members = sql`${[...new Set(wanted.map(({ membershipId }) => membershipId))]}::uuid[]`;
  const objectives = sql`${[...new Set(wanted.map(({ objectiveId }) => objectiveId))]}::text[]`;
  const { rows } = await sql<{ completion_id: CompletionId; at: Date }>`
    with purchased as materialized (
      select ${standing('recorded')} as membership_id, a.transaction_id, max(a.transaction_date) as at
      from membership recorded
      join attribution a
        on a.publisher_id = ${publisherId} and a.membership_id = recorded.membership_id and a.transaction_date > ${now}
      where recorded.publisher_id = ${publisherId}
        and (recorded.membership_id = any(${members}) or ${mergedInto('recorded')} = any(${members}))
      group by 1, 2
    ),
    later as materialized (
      select c.objective_id, c.membership_id, c.value, p.at
      from purchased p
      join bounty_contribution c
        on c.publisher_id = ${publisherId} and c.objective_id = any(${objectives})
       and c.membership_id = p.membership_id and c.source_id = p.transaction_id and c.occurred_at is null
      union all
      select c.objective_id, c.membership_id, c.value, c.occurred_at
      from bounty_contribution c
      where c.publisher_id = ${publisherId} and c.objective_id = any(${objectives})
        and c.membership_id = any(${members}) and c.occurred_at > ${now}
    ),
    summed as (
      select l.objective_id, l.membership_id, l.at, t.total - sum(l.value) over whole as before,
             t.total - sum(l.value) over whole + sum(l.value) over (whole order by l.at) as reached
      from later l
      join bounty_total t
        on t.publisher_id = ${publisherId} and t.objective_id = l.objective_id and t.membership_id = l.membership_id
      window whole as (partition by l.objective_id, l.membership_id)
    )
    select wanted.completion_id, max(hit.at) as at
    from unnest(
      ${wanted.map(({ id }) => id)}::uuid[],
      ${wanted.map(({ membershipId }) => membershipId)}::uuid[],
      ${wanted.map(({ objectiveId }) => objectiveId)}::text[],
      ${wanted.map(({ needed }) => needed)}::numeric[]
    ) as wanted (completion_id, membership_id, objective_id, needed)
    cross join lateral (
      select min(s.at) as at
      from summed s
      where s.objective_id = wanted.objective_id and s.membership_id = wanted.membership_id
        and s.before < wanted.needed and s.reached >= wanted.needed
    ) hit
    where hit.at is not null
    group by wanted.completion_id`.execute(tx);
  return new Map(rows.map(({ completion_id, at }) => [completion_id, at]));
}
