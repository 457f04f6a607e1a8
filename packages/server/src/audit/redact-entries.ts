import { sql } from 'kysely';
import { changeByKey } from '../platform/database/change-by-key.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import type { Actor } from './actor.ts';
import { storedActorId, storedActorName, storedTarget } from './record-change.ts';

export interface CreatorInAudit {
  publisherId: string;
  accountId: AccountId;
  /** Names and other texts of the creator, which other entries may contain as whole values. */
  texts: readonly string[];
}

/**
 * Replaces everything that names a creator in a publisher's audit log by a mark. The entries stay, with their times, actors,
 * actions and targets. Only a function of the tables' owner can do this (migrations/0066_erasures.sql), and it adds an entry
 * in each commit (action: 'audit.redact').
 * @returns the number of entries changed
 */
export async function redactEntries(db: Db, actor: Actor, creator: CreatorInAudit): Promise<number> {
  const { publisherId, accountId } = creator;
  const texts = [...creator.texts];
  const inJson = texts.map((text) => JSON.stringify(text));
  const target = storedTarget(`member:${accountId}`);
  return changeByKey({
    start: '00000000-0000-0000-0000-000000000000',
    async read(after, limit) {
      const { rows } = await sql<{ audit_id: string; is_theirs: boolean }>`
        select audit_id,
               case when target = ${target}
                    then before is distinct from '{"erased": true}' and before is not null
                      or after is not null and not after @> '{"erased": true}'
                      or reason is not null and reason <> '(erased)' and action <> 'member.erase'
                    else actor_kind = 'creator' and actor_id = ${accountId} and actor_name <> '(erased)'
                      or exists (
                        select 1 from unnest(${inJson}::text[]) as sought (text)
                        where strpos(before::text, text) > 0 or strpos(after::text, text) > 0)
                      or exists (select 1 from unnest(${texts}::text[]) as sought (text) where strpos(reason, text) > 0)
               end as is_theirs
        from audit_entry
        where publisher_id = ${publisherId} and audit_id > ${after}::uuid
        order by audit_id
        limit ${limit}`.execute(db);
      return rows;
    },
    keyOf: ({ audit_id }) => audit_id,
    async change(rows) {
      const ids = rows.filter(({ is_theirs }) => is_theirs).map(({ audit_id }) => audit_id);
      if (ids.length === 0) return 0;
      return inTransaction(db, async (tx) => {
        const { rows: redacted } = await sql<{ n: number }>`
          select redact_audit(${publisherId}, ${ids}::uuid[], ${accountId}, ${texts}::text[], ${newRowId()}::uuid,
                              ${actor.kind}, ${storedActorId(actor.id)}, ${storedActorName(actor.name)}) as n`.execute(
          tx,
        );
        return redacted[0]?.n ?? 0;
      });
    },
  });
}
