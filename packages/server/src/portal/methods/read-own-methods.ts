import { sql } from 'kysely';
import { readPayeeSettings } from '../../payees/payee-settings.ts';
import { type PayeeMethod, readMethodsOf } from '../../payees/read-methods.ts';
import type { Db } from '../../platform/database/database.ts';
import { readMoment } from '../../platform/database/moment.ts';
import { readPayoutNeeds } from '../../publishers/payout-needs.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { isGateOpenAt } from '../../settlement/gates/gates.ts';
import { readGates } from '../../settlement/gates/read-gates.ts';
import type { OwnAccount } from '../own-accounts.ts';

/** Payout method as its creator sees it, without the name, address or account. */
export interface OwnMethodView
  extends Pick<PayeeMethod, 'methodId' | 'kind' | 'hint' | 'state' | 'enteredAt' | 'usableFrom' | 'endedAt'> {
  accountName: string;
  /** True if the creator entered it, and false if the publisher's staff did. */
  isOwn: boolean;
  /** True if the creator ended it, and false if the staff did; null if it has not ended. */
  isEndedByOwner: boolean | null;
}

export interface OwnMethods {
  /** Methods that have not ended, and for an account that has none, the one that ended last. */
  methods: OwnMethodView[];
  /** Days between a change and the first payout to the new method. */
  waitDays: number;
  /** True if payouts pay nothing to creators without a method. */
  isNeeded: boolean;
  /** True while the publisher keeps payouts back because it checks one of the accounts. */
  isUnderReview: boolean;
}

/** Reads a person's payout methods at a publisher. What the staff wrote about them is left out. */
export async function readOwnMethods(
  db: Db,
  publisherId: string,
  accounts: readonly OwnAccount[],
): Promise<OwnMethods> {
  const methods: OwnMethodView[] = [];
  for (const { accountId, name } of accounts) {
    const all = await readMethodsOf(db, publisherId, accountId);
    const open = all.filter(({ state }) => state !== 'Ended');
    const shown = open.length > 0 ? open : all.slice(0, 1);
    methods.push(...shown.map((method) => toView(method, name)));
  }
  const clockAt = laterBy(await readMoment(db), await readAheadMs(db, publisherId));
  const ids = accounts.map(({ accountId }) => accountId);
  const reviews = await readGates(
    db,
    publisherId,
    sql`g.account_id = any(${ids}::text[]) and g.kind = 'review' and ${isGateOpenAt(clockAt)} limit 1`,
  );
  return {
    methods,
    waitDays: (await readPayeeSettings(db, publisherId)).waitDays,
    isNeeded: (await readPayoutNeeds(db, publisherId)).method,
    isUnderReview: reviews.length > 0,
  };
}

const toView = (method: PayeeMethod, accountName: string): OwnMethodView => ({
  accountName,
  methodId: method.methodId,
  kind: method.kind,
  hint: method.hint,
  state: method.state,
  enteredAt: method.enteredAt,
  usableFrom: method.usableFrom,
  endedAt: method.endedAt,
  isOwn: method.enteredBy.kind === 'creator',
  isEndedByOwner: method.endedBy && method.endedBy.kind === 'creator',
});
