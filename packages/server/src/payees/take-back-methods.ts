import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange, storedActorId } from '../audit/record-change.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { ProgramTx } from '../publishers/changing-program.ts';
import type { MethodKind } from './destination.ts';
import { continueMethod } from './move-methods.ts';
import { ownName } from './save-own-method.ts';

interface TakenBack {
  publisherId: string;
  /** Account that the methods belong to now. */
  accountId: AccountId;
  /** That account and the one that it has claimed since the change. */
  accountIds: readonly AccountId[];
  /** Time of the oldest change to take back. */
  since: Date;
  at: Date;
}

interface Row {
  method_id: PayeeMethodId;
  account_id: AccountId;
  kind: MethodKind;
  sealed: string | null;
  is_current: boolean;
  is_entered_since: boolean;
  was_current: boolean;
}

/**
 * Takes back what was done in a creator's name since a change: ends the methods that were entered, and continues those that were
 * replaced or removed, unless the staff have approved another one. The caller has locked posting, the program and the creator's
 * members.
 */
export async function takeBackMethods(
  tx: ProgramTx,
  sealer: Sealer,
  actor: Actor,
  { publisherId, accountId, accountIds, since, at }: TakenBack,
): Promise<void> {
  const { rows } = await sql<Row>`
    select method_id, account_id, kind, sealed,
           approved_at is not null and ended_at is null as is_current,
           ended_at is null and entered_by_kind = 'creator' and entered_at >= ${since} as is_entered_since,
           coalesce(approved_at is not null and entered_at < ${since} and ended_at >= ${since}
                    and ended_by_kind = 'creator', false) as was_current
    from payee_method
    where publisher_id = ${publisherId} and account_id = any(${[...accountIds]}::text[])
      and (ended_at is null or ended_at >= ${since})
    order by ended_at, method_id
    for update`.execute(tx);
  const entered = rows.filter(({ is_entered_since }) => is_entered_since);
  await sql`
    update payee_method
    set ended_at = ${at}, ended_reason = 'Taken back: the creator did not enter it', ended_by_kind = ${actor.kind},
        ended_by_id = ${storedActorId(actor.id)}, ended_by_name = ${ownName}
    where publisher_id = ${publisherId} and method_id = any(${entered.map(({ method_id }) => method_id)}::uuid[])`.execute(
    tx,
  );
  const continued: PayeeMethodId[] = [];
  for (const isBank of [true, false]) {
    const ofPlace = rows.filter(({ kind }) => (kind === 'sepa') === isBank);
    const isTaken = ofPlace.some(({ is_current, is_entered_since }) => is_current && !is_entered_since);
    const [former] = ofPlace.filter(({ was_current }) => was_current);
    const sealed = former?.sealed ?? null;
    if (isTaken || former === undefined || sealed === null || sealer.stateOf(sealed) === 'unknown-key')
      continue;
    const method = { method_id: former.method_id, sealed };
    continued.push(
      await continueMethod(tx, sealer, { publisherId, method, from: former.account_id, to: accountId, at }),
    );
  }
  await recordChange(tx, actor, {
    publisherId,
    action: 'payee-method.take-back',
    target: `member:${accountId}`,
    before: { methods: entered.map(({ method_id }) => method_id) },
    after: { methods: continued },
  });
}
