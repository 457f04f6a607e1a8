import { sql } from 'kysely';
import { serviceActor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { MethodKind } from './destination.ts';
import { methodPlace } from './destination.ts';

interface OpenMethod {
  method_id: PayeeMethodId;
  account_id: AccountId;
  kind: MethodKind;
  hint: string;
  sealed: string;
  is_approved: boolean;
}

/**
 * Ends the payout methods of an account that a creator claimed. If the creator has no method of the same kind yet, the
 * method continues as the creator's own, with its approver and waiting period, sealed for the creator. It counts as approved
 * from the claim on, because a payout with an earlier cutoff must find what its preview found. The caller has locked both
 * accounts' members and posting.
 */
export async function moveMethods(
  tx: Tx,
  sealer: Sealer,
  publisherId: string,
  { from, to }: { from: AccountId; to: AccountId },
): Promise<void> {
  const { rows } = await sql<OpenMethod>`
    select method_id, account_id, kind, hint, sealed, approved_at is not null as is_approved
    from payee_method
    where publisher_id = ${publisherId} and account_id in (${from}, ${to}) and ended_at is null
    order by method_id
    for update`.execute(tx);
  const own = new Set(rows.filter((each) => each.account_id === to).map(placeOf));
  const at = await readMoment(tx);
  for (const method of rows.filter((each) => each.account_id === from)) {
    await sql`
      update payee_method
      set ended_at = ${at}, ended_reason = ${`Claimed by ${to}`.slice(0, 500)}, ended_by_kind = ${serviceActor.kind},
          ended_by_id = ${serviceActor.id}, ended_by_name = ${serviceActor.name}
      where publisher_id = ${publisherId} and method_id = ${method.method_id}::uuid`.execute(tx);
    // A claim must not fail because a key is missing. The method is then entered again.
    const isKept = !own.has(placeOf(method)) && sealer.stateOf(method.sealed) !== 'unknown-key';
    const continuedAs = isKept
      ? await continueMethod(tx, sealer, { publisherId, method, from, to, at })
      : null;
    await recordChange(tx, serviceActor, {
      publisherId,
      action: 'payee-method.end',
      target: `member:${to}`,
      before: { method: method.method_id, kind: method.kind, hint: method.hint },
      after: { claimed: from, continuedAs },
    });
  }
}

/**
 * Returns which of a creator's methods this is: the one waiting for approval, the bank account for euros, or the one
 * for any currency.
 */
const placeOf = ({ is_approved, kind }: OpenMethod): string =>
  is_approved ? (kind === 'sepa' ? 'euros' : 'any currency') : 'waiting';

/**
 * Adds a copy of a method, sealed for an account, with its approver and waiting period. It counts as approved from now on.
 * @returns the id of the copy
 */
export async function continueMethod(
  tx: Tx,
  sealer: Sealer,
  {
    publisherId,
    method,
    from,
    to,
    at,
  }: {
    publisherId: string;
    method: Pick<OpenMethod, 'method_id' | 'sealed'>;
    from: AccountId;
    to: AccountId;
    at: Date;
  },
): Promise<PayeeMethodId> {
  const continuedAs = newRowId<PayeeMethodId>();
  const opened = sealer.openUncached(method.sealed, methodPlace({ publisherId, accountId: from }));
  const sealed = sealer.seal(opened, methodPlace({ publisherId, accountId: to }));
  await sql`
    insert into payee_method (publisher_id, method_id, account_id, kind, sealed, hint, fingerprint, entered_at,
                              entered_by_kind, entered_by_id, entered_by_name, approved_at, approved_by_kind,
                              approved_by_id, approved_by_name, usable_from)
    select publisher_id, ${continuedAs}::uuid, ${to}, kind, ${sealed}, hint, fingerprint, entered_at,
           entered_by_kind, entered_by_id, entered_by_name,
           case when approved_at is not null then ${at}::timestamptz end, approved_by_kind,
           approved_by_id, approved_by_name, usable_from
    from payee_method
    where publisher_id = ${publisherId} and method_id = ${method.method_id}::uuid`.execute(tx);
  return continuedAs;
}
