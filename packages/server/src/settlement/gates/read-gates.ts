import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, GateId } from '../../platform/database/tables.generated.ts';
import { remindAt } from './ending-clearances.ts';
import { type GateKind, joinEnd } from './gates.ts';

/** Tax clearance or review of a creator. */
export interface Gate {
  gateId: GateId;
  kind: GateKind;
  memberId: AccountId;
  name: string;
  /** Start of its period, on the publisher's clock. */
  from: Date;
  /** End of its period, on the publisher's clock; null for a period without an end. */
  until: Date | null;
  /** Time from which the end of a tax clearance needs attention; null for a review or a period without an end. */
  remindAt: Date | null;
  note: string;
  setAt: Date;
  setBy: { kind: string; name: string };
  /** Null unless a person ended the gate early. */
  end: { reason: string; at: Date; by: { kind: string; name: string } } | null;
}

/** @param rest conditions, order and limit; the gate is `g`, its end `e` */
export async function readGates(
  db: Db | Tx,
  publisherId: string,
  rest: RawBuilder<unknown>,
): Promise<Gate[]> {
  const { rows } = await sql<GateRow>`
    select g.gate_id, g.kind, g.account_id, account.name, g.from_at, g.until_at, g.note, g.set_at, g.set_by_kind,
           g.set_by_name, e.reason, e.ended_at, e.ended_by_kind, e.ended_by_name
    from payee_gate g
    ${joinEnd(publisherId)}
    join creator_account account on account.account_id = g.account_id
    where g.publisher_id = ${publisherId} and ${rest}`.execute(db);
  return rows.map((row) => ({
    gateId: row.gate_id,
    kind: row.kind,
    memberId: row.account_id,
    name: row.name,
    from: row.from_at,
    until: row.until_at,
    remindAt: row.kind === 'tax' && row.until_at !== null ? remindAt(row.until_at) : null,
    note: row.note,
    setAt: row.set_at,
    setBy: { kind: row.set_by_kind, name: row.set_by_name },
    end:
      row.ended_at === null
        ? null
        : {
            reason: row.reason ?? '',
            at: row.ended_at,
            by: { kind: row.ended_by_kind ?? '', name: row.ended_by_name ?? '' },
          },
  }));
}

interface GateRow {
  gate_id: GateId;
  kind: GateKind;
  account_id: AccountId;
  name: string;
  from_at: Date;
  until_at: Date | null;
  note: string;
  set_at: Date;
  set_by_kind: string;
  set_by_name: string;
  reason: string | null;
  ended_at: Date | null;
  ended_by_kind: string | null;
  ended_by_name: string | null;
}
