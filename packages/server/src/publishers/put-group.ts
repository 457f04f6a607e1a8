import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { differences } from '../audit/differences.ts';
import { recordChange } from '../audit/record-change.ts';
import { currencyCodes } from '../platform/currencies.ts';
import { readMoment } from '../platform/database/moment.ts';
import { closed, inputCurrency, inputGroupId, inputName, inputPercent } from '../platform/inputs.ts';
import { millionthsToPercent, percentToMillionths, roundPercent } from '../platform/percent.ts';
import { Refusal } from '../platform/refusal.ts';
import { applicationsInput } from './applications/applications-input.ts';
import { putApplications } from './applications/put-applications.ts';
import { type ProgramTx, programChanged } from './changing-program.ts';
import { payoutCalendarInput } from './payout-calendar.ts';
import { laterBy, readAheadMs } from './publisher-time.ts';

export const groupInput = Type.Object(
  {
    id: inputGroupId,
    name: Type.Optional(inputName),
    revShare: Type.Optional(inputPercent('Default percentage of the subtotal. Required for a new group.')),
    codeTTLInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
    holdDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description: 'Days after a purchase before it can be paid out.',
      }),
    ),
    payoutMinimums: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
        propertyNames: { enum: [...currencyCodes] },
        description: 'Minimum payout to a member, by currency, in minor units.',
      }),
    ),
    disabledCurrencies: Type.Optional(Type.Array(inputCurrency)),
    payoutCalendar: Type.Optional(Type.Union([payoutCalendarInput, Type.Null()])),
    applications: Type.Optional(applicationsInput),
  },
  closed,
);

export interface GroupInput extends Static<typeof groupInput> {
  publisherId: string;
}

/** Settings in the group's row. Those of applications have tables of their own. */
type Settings = Required<Omit<GroupInput, 'publisherId' | 'id' | 'applications'>>;

/**
 * Creates a creator group, or updates the settings specified in the input.
 * @returns whether anything changed
 * @throws Refusal InvalidInput for a new group without a share, and for applications without terms
 */
export async function putGroup(tx: ProgramTx, actor: Actor, input: GroupInput): Promise<boolean> {
  const { publisherId, id: groupId } = input;
  const before = await readSettings(tx, input);
  const { disabledCurrencies } = input;
  const wanted = {
    name: input.name,
    revShare: input.revShare === undefined ? undefined : roundPercent(input.revShare),
    codeTTLInDays: input.codeTTLInDays,
    holdDays: input.holdDays,
    payoutMinimums: input.payoutMinimums,
    disabledCurrencies: disabledCurrencies && [...new Set(disabledCurrencies)],
    payoutCalendar: input.payoutCalendar,
  };
  const change = before === null ? { before, after: defined(wanted) } : differences(before, wanted);
  if (change !== null) await writeGroup(tx, input, change);
  const applications =
    input.applications && (await putApplications(tx, { publisherId, groupId }, input.applications));
  if (change === null && !applications) return false;
  // Recording doesn't read the settings of applications.
  if (change !== null) programChanged(tx, publisherId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'group.put',
    target: `group:${groupId}`,
    before:
      before === null
        ? null
        : { ...change?.before, ...(applications && { applications: applications.before }) },
    after: { ...change?.after, ...(applications && { applications: applications.after }) },
  });
  return true;
}

/** Inserts a new group, or updates the changed settings of an existing one. */
async function writeGroup(
  tx: ProgramTx,
  input: GroupInput,
  { before, after }: { before: Partial<Settings> | null; after: Partial<Settings> },
): Promise<void> {
  const { publisherId, id: groupId } = input;
  const hasNewDay =
    after.payoutCalendar != null && after.payoutCalendar.dayOfMonth !== before?.payoutCalendar?.dayOfMonth;
  const times = hasNewDay && {
    payout_calendar_set_at: laterBy(await readMoment(tx), await readAheadMs(tx, publisherId)),
  };
  if (before === null) {
    await insertGroup(tx, input, { ...columnsOf(after), ...times });
    return;
  }
  const changesTerms = after.holdDays !== undefined || after.payoutMinimums !== undefined;
  await tx
    .updateTable('creator_group')
    .set({ ...columnsOf(after), ...times, ...(changesTerms && { terms_changed_at: await readMoment(tx) }) })
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .execute();
}

async function readSettings(tx: ProgramTx, input: GroupInput): Promise<Settings | null> {
  const hasTerms = input.holdDays !== undefined || input.payoutMinimums !== undefined;
  const row = await tx
    .selectFrom('creator_group')
    .select(['name', 'share_millionths', 'code_ttl_days', 'hold_days', 'disabled_currencies'])
    .select(sql<Settings['payoutMinimums']>`payout_minimums`.as('payout_minimums'))
    .select(sql<Settings['payoutCalendar']>`payout_calendar`.as('payout_calendar'))
    .where('publisher_id', '=', input.publisherId)
    .where('group_id', '=', input.id)
    // Locks the group, so that a payout's cutoff is either before or after `terms_changed_at`.
    .$if(hasTerms, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    name: row.name,
    revShare: millionthsToPercent(row.share_millionths),
    codeTTLInDays: row.code_ttl_days,
    holdDays: row.hold_days,
    payoutMinimums: row.payout_minimums,
    disabledCurrencies: row.disabled_currencies,
    payoutCalendar: row.payout_calendar,
  };
}

async function insertGroup(
  tx: ProgramTx,
  { publisherId, id: groupId }: GroupInput,
  { share_millionths, ...others }: ReturnType<typeof columnsOf> & { payout_calendar_set_at?: Date },
): Promise<void> {
  if (share_millionths === undefined)
    throw new Refusal('InvalidInput', `the new group ${groupId} requires revShare`);
  await tx
    .insertInto('creator_group')
    .values({ publisher_id: publisherId, group_id: groupId, name: groupId, share_millionths, ...others })
    .execute();
}

const columnsOf = (settings: Partial<Settings>) => ({
  ...(settings.name !== undefined && { name: settings.name }),
  ...(settings.revShare !== undefined && { share_millionths: percentToMillionths(settings.revShare) }),
  ...(settings.codeTTLInDays !== undefined && { code_ttl_days: settings.codeTTLInDays }),
  ...(settings.holdDays !== undefined && { hold_days: settings.holdDays }),
  ...(settings.payoutMinimums !== undefined && { payout_minimums: JSON.stringify(settings.payoutMinimums) }),
  ...(settings.disabledCurrencies !== undefined && { disabled_currencies: settings.disabledCurrencies }),
  ...(settings.payoutCalendar !== undefined && {
    payout_calendar: settings.payoutCalendar === null ? null : JSON.stringify(settings.payoutCalendar),
  }),
});

const defined = (wanted: { [Name in keyof Settings]: Settings[Name] | undefined }): Partial<Settings> =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
