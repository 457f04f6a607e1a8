import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import { isRowId } from '../platform/ids.ts';
import type { Page, Pages } from '../platform/page.ts';
import { Refusal } from '../platform/refusal.ts';
import { laterBy, readAheadMs } from '../publishers/publisher-time.ts';
import type { MethodKind } from './destination.ts';

/** Waiting: not approved yet. New: approved, but not usable yet. */
export const methodStates = ['Waiting', 'New', 'Usable', 'Ended'] as const;

export interface MethodPerson {
  kind: string;
  id: string;
  name: string;
}

/** Payout method, without the sealed name, country, and address or account. */
export interface PayeeMethod {
  methodId: PayeeMethodId;
  memberId: AccountId;
  /** Creator's name. */
  name: string;
  kind: MethodKind;
  hint: string;
  state: (typeof methodStates)[number];
  enteredAt: Date;
  enteredBy: MethodPerson;
  approvedAt: Date | null;
  approvedBy: MethodPerson | null;
  /** Time on the publisher's clock from which payouts use the method; null until it is approved. */
  usableFrom: Date | null;
  endedAt: Date | null;
  endedBy: MethodPerson | null;
  endedReason: string | null;
  /** True if the name, country, and address or account were deleted some time after the method ended. */
  isAccountDeleted: boolean;
  /** Other creators of the publisher with the same address or account, at most ten. */
  sharedWith: { memberId: AccountId; name: string }[];
}

/** Maximum number of creators to name for one address or account. */
const maxShared = 10;
/** Maximum number of a creator's methods to show. Each one requires two people, so a creator has only a few. */
const maxOfCreator = 100;

/** Reads a creator's methods, newest first, including ended ones. */
export const readMethodsOf = (
  db: Db | Tx,
  publisherId: string,
  accountId: AccountId,
): Promise<PayeeMethod[]> =>
  readMethods(
    db,
    publisherId,
    sql`p.account_id = ${accountId} order by p.method_id desc limit ${maxOfCreator}`,
  );

/** @throws Refusal NotFound */
export async function requireMethod(
  db: Db | Tx,
  publisherId: string,
  methodId: string,
): Promise<PayeeMethod> {
  const [method] = isRowId(methodId)
    ? await readMethods(db, publisherId, sql`p.method_id = ${methodId}::uuid`)
    : [];
  if (method === undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no payout method ${methodId}.`);
  return method;
}

/**
 * Lists one page of a publisher's methods that have not ended, newest first.
 * @param isWaiting true for only those that are waiting for a second person
 * @throws Refusal InvalidCursor
 */
export async function listMethods(
  db: Db,
  pages: Pages,
  { publisherId, isWaiting }: { publisherId: string; isWaiting: boolean },
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<PayeeMethod>> {
  const listing = ['payout methods', publisherId, isWaiting];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const methods = await readMethods(
    db,
    publisherId,
    sql`p.ended_at is null
      ${isWaiting ? sql`and p.approved_at is null` : sql``}
      ${before === null ? sql`` : sql`and p.method_id < ${before}::uuid`}
    order by p.method_id desc
    limit ${size + 1}`,
  );
  return pages.cut(listing, methods, size, ({ methodId }) => [methodId]);
}

async function readMethods(
  db: Db | Tx,
  publisherId: string,
  rest: RawBuilder<unknown>,
): Promise<PayeeMethod[]> {
  const clockAt = laterBy(await readMoment(db), await readAheadMs(db, publisherId));
  const { rows } = await sql<MethodRow>`
    select p.method_id, p.account_id, a.name, p.kind, p.hint, p.entered_at, p.entered_by_kind, p.entered_by_id,
           p.entered_by_name, p.approved_at, p.approved_by_kind, p.approved_by_id, p.approved_by_name, p.usable_from,
           p.ended_at, p.ended_by_kind, p.ended_by_id, p.ended_by_name, p.ended_reason,
           p.sealed is null as is_account_deleted, shared.members as shared_with
    from payee_method p
    join creator_account a on a.account_id = p.account_id
    cross join lateral (
      select coalesce(json_agg(json_build_object('memberId', other.account_id, 'name', other.name) order by other.account_id), '[]') as members
      from (
        select distinct o.account_id, account.name
        from payee_method o
        join creator_account account on account.account_id = o.account_id
        where o.publisher_id = ${publisherId} and o.fingerprint = p.fingerprint and o.account_id <> p.account_id
          and o.ended_at is null
        order by o.account_id
        limit ${maxShared}
      ) other
    ) shared
    where p.publisher_id = ${publisherId} and ${rest}`.execute(db);
  return rows.map((row) => toMethod(row, clockAt));
}

interface MethodRow {
  method_id: PayeeMethodId;
  account_id: AccountId;
  name: string;
  kind: MethodKind;
  hint: string;
  entered_at: Date;
  entered_by_kind: string;
  entered_by_id: string;
  entered_by_name: string;
  approved_at: Date | null;
  approved_by_kind: string | null;
  approved_by_id: string | null;
  approved_by_name: string | null;
  usable_from: Date | null;
  ended_at: Date | null;
  ended_by_kind: string | null;
  ended_by_id: string | null;
  ended_by_name: string | null;
  ended_reason: string | null;
  is_account_deleted: boolean;
  shared_with: PayeeMethod['sharedWith'];
}

function toMethod(row: MethodRow, clockAt: Date): PayeeMethod {
  return {
    methodId: row.method_id,
    memberId: row.account_id,
    name: row.name,
    kind: row.kind,
    hint: row.hint,
    state: stateOf(row, clockAt),
    enteredAt: row.entered_at,
    enteredBy: { kind: row.entered_by_kind, id: row.entered_by_id, name: row.entered_by_name },
    approvedAt: row.approved_at,
    approvedBy: personOf(row.approved_by_kind, row.approved_by_id, row.approved_by_name),
    usableFrom: row.usable_from,
    endedAt: row.ended_at,
    endedBy: personOf(row.ended_by_kind, row.ended_by_id, row.ended_by_name),
    endedReason: row.ended_reason,
    isAccountDeleted: row.is_account_deleted,
    sharedWith: row.shared_with,
  };
}

const personOf = (kind: string | null, id: string | null, name: string | null): MethodPerson | null =>
  kind === null || id === null || name === null ? null : { kind, id, name };

function stateOf({ ended_at, usable_from }: MethodRow, clockAt: Date): PayeeMethod['state'] {
  if (ended_at !== null) return 'Ended';
  if (usable_from === null) return 'Waiting';
  return usable_from > clockAt ? 'New' : 'Usable';
}
