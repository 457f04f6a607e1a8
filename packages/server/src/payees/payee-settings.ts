import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { refuseStaleEdit, versionOf } from '../platform/version.ts';
import { lockForPosting } from '../settlement/settlement-lock.ts';
import { checkBic, checkSepaIban, checkSepaName } from './check-destination.ts';
import { readWiseHeader } from './files/wise-header.ts';

export const decimalSigns = ['.', ','] as const;
export const maxWaitDays = 30;
export const defaultWaitDays = 7;

export interface PayeeSettings {
  /** Days between the approval of a method and its first use, from 0 to 30. */
  waitDays: number;
  /** Decimal separator in PayPal files, as used in the country of the publisher's PayPal account. */
  paypalDecimalSign: (typeof decimalSigns)[number];
  /** First line of the publisher's Wise template; null if Wise files can't be generated yet. */
  wiseHeader: string | null;
  /** Currency in which the publisher pays Wise; null for the payout's currency. */
  wiseSourceCurrency: string | null;
  /** Account that SEPA files pay from; null if SEPA files can't be generated yet. */
  debtor: { name: string; iban: string; bic: string | null } | null;
}

export interface StoredPayeeSettings extends PayeeSettings {
  version: string;
}

/** Reads a publisher's settings for payout methods and payment files. */
export async function readPayeeSettings(db: Db | Tx, publisherId: string): Promise<StoredPayeeSettings> {
  const row = await db
    .selectFrom('payee_settings')
    .select([
      'wait_days',
      'paypal_decimal_sign',
      'wise_header',
      'wise_source_currency',
      'debtor_name',
      'debtor_iban',
      'debtor_bic',
    ])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return withVersion({
    waitDays: row?.wait_days ?? defaultWaitDays,
    paypalDecimalSign: row?.paypal_decimal_sign === ',' ? ',' : '.',
    wiseHeader: row?.wise_header ?? null,
    wiseSourceCurrency: row?.wise_source_currency ?? null,
    debtor:
      row?.debtor_iban == null
        ? null
        : { name: row.debtor_name ?? '', iban: row.debtor_iban, bic: row.debtor_bic },
  });
}

const withVersion = (settings: PayeeSettings): StoredPayeeSettings => ({
  ...settings,
  version: versionOf(settings),
});

/**
 * Saves a publisher's settings for payout methods and payment files. A changed waiting period applies only to methods that
 * are approved afterward. Other settings also change the files of existing payouts.
 * @param typed includes the version that the actor's edit is based on
 * @throws Refusal InvalidInput; Stale
 */
export function putPayeeSettings(
  db: Db,
  actor: Actor,
  publisherId: string,
  { version, ...typed }: StoredPayeeSettings,
): Promise<StoredPayeeSettings> {
  const settings = checkSettings(typed);
  return inTransaction(db, async (tx) => {
    await lockForPosting(tx, publisherId);
    // Without a row, there would be nothing to lock, and two concurrent first saves would both succeed.
    await tx
      .insertInto('payee_settings')
      .values({ publisher_id: publisherId })
      .onConflict((conflict) => conflict.column('publisher_id').doNothing())
      .execute();
    await tx
      .selectFrom('payee_settings')
      .select('publisher_id')
      .where('publisher_id', '=', publisherId)
      .forUpdate()
      .execute();
    const { version: current, ...before } = await readPayeeSettings(tx, publisherId);
    refuseStaleEdit('The list of payment settings', version, current);
    const saved = withVersion(settings);
    if (saved.version === current) return saved;
    await tx
      .updateTable('payee_settings')
      .set({
        wait_days: settings.waitDays,
        paypal_decimal_sign: settings.paypalDecimalSign,
        wise_header: settings.wiseHeader,
        wise_source_currency: settings.wiseSourceCurrency,
        debtor_name: settings.debtor?.name ?? null,
        debtor_iban: settings.debtor?.iban ?? null,
        debtor_bic: settings.debtor?.bic ?? null,
      })
      .where('publisher_id', '=', publisherId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'payee-settings.put',
      target: `publisher:${publisherId}`,
      before: audited(before),
      after: audited(settings),
    });
    return saved;
  });
}

function checkSettings(typed: PayeeSettings): PayeeSettings {
  const { waitDays, paypalDecimalSign, debtor, wiseSourceCurrency } = typed;
  if (!Number.isInteger(waitDays) || waitDays < 0 || waitDays > maxWaitDays)
    throw new Refusal('InvalidInput', `The waiting period must be from 0 to ${maxWaitDays} days.`, {
      path: ['waitDays'],
    });
  const wiseHeader = typed.wiseHeader?.trim() || null;
  if (wiseHeader !== null) readWiseHeader(wiseHeader);
  return {
    waitDays,
    paypalDecimalSign,
    wiseHeader,
    wiseSourceCurrency,
    debtor: debtor && {
      name: checkSepaName(debtor.name, 'debtor'),
      iban: checkSepaIban(debtor.iban, 'debtor'),
      bic: checkBic(debtor.bic ?? undefined, 'debtor'),
    },
  };
}

/** Returns the settings for the audit log, with only the end of the publisher's own IBAN. */
const audited = ({ debtor, ...settings }: PayeeSettings) => ({
  ...settings,
  debtor: debtor && `${debtor.name}, ${debtor.iban.slice(0, 2)}… ${debtor.iban.slice(-4)}`,
});
