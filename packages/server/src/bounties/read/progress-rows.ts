import { type RawBuilder, sql } from 'kysely';
import { codesOf } from '../../members/read/member-record.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId, ProgressId } from '../../platform/database/tables.generated.ts';
import type { NamedProgressRecord, ProgressRecord } from './bounty-record.ts';
import { currentObjectives } from './current-objectives.ts';

type Objective = ProgressRecord['currentObjectives'][number]['objective'];
type Rewards = ProgressRecord['completedObjectives'][number]['rewards'];

interface ProgressRow {
  progress_id: ProgressId;
  membership_id: MembershipId;
  bounty_name: string;
  completion_count: number;
  completion_limit: number | null;
  last_progress_check: Date | null;
  current: (Objective & { total: string; currency: string | null })[];
  completions: { number: number; objectives: Objective[]; rewards: Rewards }[];
  account_id: AccountId;
  name: string;
  player_id: string | null;
  codes: ProgressRecord['member']['codes'];
}

export interface FoundProgress {
  membershipId: MembershipId;
  record: NamedProgressRecord;
  /** Currency of each current objective that counts an amount, keyed by objective id. */
  currencyOf: ReadonlyMap<string, string | null>;
}

/** Maximum number of completions shown for a member, so that responses stay small. */
const maxCompletionsShown = 100;

/** @param condition condition on the progress `p` and the membership `m` */
export async function countProgress(
  db: Db,
  publisherId: string,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total
    from bounty_progress p
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = p.membership_id
    where p.publisher_id = ${publisherId} and ${condition}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

/**
 * @param condition condition on the progress `p`, the bounty `b` and the membership `m`
 * @param rest order and limits for a page
 */
export async function readProgress(
  db: Db,
  publisherId: string,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<FoundProgress[]> {
  const { rows } = await sql<ProgressRow>`
    select p.progress_id, p.membership_id, p.completion_count, b.name as bounty_name, b.completion_limit, p.last_progress_check, now.list as current,
           done.list as completions, m.account_id, a.name, m.player_id, ${codesOf(publisherId)} as codes
    from bounty_progress p
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = p.bounty_id
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = p.membership_id
    join creator_account a on a.account_id = m.account_id
    cross join lateral (${currentObjectives(publisherId, 'p', sql`'id', o.objective_id, 'name', o.name, 'count', o.target, 'condition', o.condition, 'currency', o.currency`)}) now
    cross join lateral (
      select coalesce(json_agg(json_build_object('number', k.number, 'objectives', k.objectives, 'rewards', given.list) order by k.number), '[]') as list
      from (
        select c.completion_id, c.number, c.objectives
        from bounty_completion c
        where c.publisher_id = ${publisherId} and c.progress_id = p.progress_id
        order by c.number desc
        limit ${maxCompletionsShown}
      ) k
      cross join lateral (
        select coalesce(json_agg(json_strip_nulls(json_build_object(
                 'id', g.progress_reward_id, 'name', d.name, 'externalId', d.external_id,
                 'rewardCompleted', g.reward_completed, 'rewardReferenceId', g.reward_reference_id, 'type', d.type
               )) order by d.position, d.reward_id), '[]') as list
        from progress_reward g
        join bounty_reward d on d.publisher_id = ${publisherId} and d.reward_id = g.reward_id
        where g.publisher_id = ${publisherId} and g.completion_id = k.completion_id
      ) given
    ) done
    where p.publisher_id = ${publisherId} and ${condition}
    ${rest}`.execute(db);
  return rows.map((row) => ({
    membershipId: row.membership_id,
    record: toRecord(row),
    currencyOf: new Map(
      row.current.filter(({ condition }) => condition === 'Amount').map(({ id, currency }) => [id, currency]),
    ),
  }));
}

function toRecord(row: ProgressRow): NamedProgressRecord {
  const isComplete = row.completion_limit !== null && row.completion_count >= row.completion_limit;
  const shown = (objective: Objective, count: number) => ({
    id: `${row.progress_id}.${objective.id}`,
    completed: count >= objective.count,
    count,
    objective: {
      id: objective.id,
      name: objective.name,
      count: objective.count,
      condition: objective.condition,
    },
  });
  const objectiveGroupId = (completion: number) => `${row.progress_id}.${completion}`;
  return {
    id: row.progress_id,
    name: row.bounty_name,
    ...(row.completion_limit !== null && { limit: row.completion_limit }),
    completed: isComplete,
    completionCount: row.completion_count,
    ...(row.last_progress_check !== null && { lastProgressCheck: row.last_progress_check.toISOString() }),
    currentObjectives: row.current.map((objective) =>
      shown(
        objective,
        isComplete
          ? objective.count
          : countTowardNext(BigInt(objective.total), objective.count, row.completion_count),
      ),
    ),
    currentObjectiveGroupId: objectiveGroupId(row.completion_count + 1),
    completedObjectives: row.completions.map(({ number, objectives, rewards }) => ({
      objectiveGroupId: objectiveGroupId(number),
      objectives: objectives.map((objective) => shown(objective, objective.count)),
      rewards,
    })),
    member: {
      id: row.account_id,
      ...(row.player_id !== null && { playerId: row.player_id }),
      name: row.name,
      codes: row.codes,
    },
  };
}

export const withoutBountyName = ({
  record: { name: _name, limit: _limit, ...progress },
}: FoundProgress): ProgressRecord => progress;

/**
 * Returns the count toward the next completion, which is the total minus the targets of earlier completions.
 * The count is never below 0 (after refunds) or above the target (while another objective is missing).
 */
export function countTowardNext(total: bigint, target: number, completionCount: number): number {
  const left = total - BigInt(completionCount) * BigInt(target);
  if (left < 0n) return 0;
  return left > BigInt(target) ? target : Number(left);
}
