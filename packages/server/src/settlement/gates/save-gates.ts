import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { storedActorId, storedActorName } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, GateId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { HoldTimes } from '../holds/save-holds.ts';
import type { GateKind } from './gates.ts';

type By = Pick<Actor, 'kind' | 'id' | 'name'>;

export interface NewGate {
  accountId: AccountId;
  kind: GateKind;
  from: Date;
  until: Date | null;
  note: string;
}

/**
 * Inserts gates. The caller has locked the creators' members.
 * @returns the ids of the gates, in their order
 */
export async function saveGates(
  tx: Tx,
  by: By,
  { publisherId, now }: { publisherId: string } & Pick<HoldTimes, 'now'>,
  gates: readonly NewGate[],
): Promise<GateId[]> {
  const ids = gates.map(() => newRowId<GateId>());
  await sql`
    insert into payee_gate (publisher_id, gate_id, account_id, kind, from_at, until_at, note, set_at, set_by_kind, set_by_id,
                            set_by_name)
    select ${publisherId}, g.gate_id, g.account_id, g.kind, g.from_at, g.until_at, g.note, ${now}::timestamptz,
           ${by.kind}, ${storedActorId(by.id)}, ${storedActorName(by.name)}
    from unnest(
      ${ids}::uuid[],
      ${gates.map(({ accountId }) => accountId)}::text[],
      ${gates.map(({ kind }) => kind)}::text[],
      ${gates.map(({ from }) => from)}::timestamptz[],
      ${gates.map(({ until }) => until)}::timestamptz[],
      ${gates.map(({ note }) => note)}::text[]
    ) as g (gate_id, account_id, kind, from_at, until_at, note)`.execute(tx);
  return ids;
}

/**
 * Ends a gate.
 * @returns false when the gate was already ended
 */
export async function saveGateEnd(
  tx: Tx,
  by: By,
  { publisherId, gateId, reason }: { publisherId: string; gateId: GateId; reason: string },
  { now }: Pick<HoldTimes, 'now'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into payee_gate_end (publisher_id, gate_id, reason, ended_at, ended_by_kind, ended_by_id, ended_by_name)
    values (${publisherId}, ${gateId}, ${reason}, ${now}, ${by.kind}, ${storedActorId(by.id)}, ${storedActorName(by.name)})
    on conflict (publisher_id, gate_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}
