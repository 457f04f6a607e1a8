import { sql } from 'kysely';
import { type Actor, serviceActor } from '../audit/actor.ts';
import { recordChange, storedActorId } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { ProgramTx } from '../publishers/changing-program.ts';
import { laterBy, readAheadMs } from '../publishers/publisher-time.ts';
import { type Destination, fingerprintOf, hintOf, openDestination, sealDestination } from './destination.ts';
import { readPayeeSettings } from './payee-settings.ts';

const dayMs = 86_400_000;

/** Name that a creator's methods show. It is not the creator's, so that an erasure needs no change. */
export const ownName = 'the creator';

/** Secrets that methods are sealed and compared with. */
export interface MethodSecrets {
  sealer: Sealer;
  /** Service secret `payee fingerprints`. */
  fingerprints: Buffer;
}

export interface OwnMethod {
  publisherId: string;
  accountId: AccountId;
  /** All accounts of the person at the publisher. They may share an address or account. */
  ownAccountIds: readonly AccountId[];
  destination: Destination;
  /** Current time on the service's clock. */
  at: Date;
}

/**
 * Saves a payout method that a creator entered and confirmed. It replaces the creator's current method for the same purpose at
 * once, and payouts use it after the publisher's waiting period. If another creator has the same address or account, the method
 * waits for the approval of the publisher's staff. The caller has locked posting, the program and the creator's members.
 */
export async function saveOwnMethod(
  tx: ProgramTx,
  { sealer, fingerprints }: MethodSecrets,
  actor: Actor,
  { publisherId, accountId, ownAccountIds, destination, at }: OwnMethod,
): Promise<PayeeMethodId> {
  const { kind } = destination;
  const [methodId, hint] = [newRowId<PayeeMethodId>(), hintOf(destination)];
  const fingerprint = fingerprintOf(fingerprints, destination);
  const isShared = await isUsedByOthers(tx, publisherId, { fingerprint, ownAccountIds });
  const { waitDays } = await readPayeeSettings(tx, publisherId);
  const usableFrom = laterBy(at, (await readAheadMs(tx, publisherId)) + waitDays * dayMs);
  await endReplaced(tx, actor, { publisherId, accountId, isBank: kind === 'sepa', at });
  await tx
    .insertInto('payee_method')
    .values({
      publisher_id: publisherId,
      method_id: methodId,
      account_id: accountId,
      kind,
      sealed: sealDestination(sealer, { publisherId, accountId }, destination),
      hint,
      fingerprint,
      entered_at: at,
      entered_by_kind: 'creator',
      entered_by_id: storedActorId(accountId),
      entered_by_name: ownName,
      // The creator's emailed code takes the place of a second person.
      ...(!isShared && {
        approved_at: at,
        approved_by_kind: serviceActor.kind,
        approved_by_id: serviceActor.id,
        approved_by_name: serviceActor.name,
        usable_from: usableFrom,
      }),
    })
    .execute();
  await recordChange(tx, actor, {
    publisherId,
    action: 'payee-method.enter',
    target: `member:${accountId}`,
    after: { method: methodId, kind, hint, ...(isShared ? { isShared } : { usableFrom }) },
  });
  return methodId;
}

/** Returns whether a creator's open method is exactly this one. A method that this process can't open counts as another. */
export async function hasMethod(
  db: Db | Tx,
  { sealer, fingerprints }: MethodSecrets,
  { publisherId, accountId, destination }: Pick<OwnMethod, 'publisherId' | 'accountId' | 'destination'>,
): Promise<boolean> {
  const rows = await db
    .selectFrom('payee_method')
    .select('sealed')
    .where('publisher_id', '=', publisherId)
    .where('account_id', '=', accountId)
    .where('kind', '=', destination.kind)
    .where('fingerprint', '=', fingerprintOf(fingerprints, destination))
    .where('ended_at', 'is', null)
    .execute();
  const wanted = JSON.stringify(destination);
  return rows.some(
    ({ sealed }) =>
      sealed !== null &&
      sealer.stateOf(sealed) !== 'unknown-key' &&
      JSON.stringify(openDestination(sealer, { publisherId, accountId }, sealed)) === wanted,
  );
}

async function isUsedByOthers(
  tx: Tx,
  publisherId: string,
  { fingerprint, ownAccountIds }: { fingerprint: Buffer; ownAccountIds: readonly AccountId[] },
): Promise<boolean> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id
    from payee_method
    where publisher_id = ${publisherId} and fingerprint = ${fingerprint} and ended_at is null
      and account_id <> all(${[...ownAccountIds]}::text[])
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Ends the method that the new one replaces, and one that waits for approval, which would later replace the new one. */
async function endReplaced(
  tx: Tx,
  actor: Actor,
  {
    publisherId,
    accountId,
    isBank,
    at,
  }: { publisherId: string; accountId: AccountId; isBank: boolean; at: Date },
): Promise<void> {
  await sql`
    update payee_method
    set ended_at = ${at}, ended_reason = 'Replaced by a newer method', ended_by_kind = ${actor.kind},
        ended_by_id = ${storedActorId(actor.id)}, ended_by_name = ${ownName}
    where publisher_id = ${publisherId} and account_id = ${accountId} and ended_at is null
      and (approved_at is null or (kind = 'sepa') = ${isBank})`.execute(tx);
}
