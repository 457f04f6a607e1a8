import type { Connector, ConnectorChanges, GenericSettings } from '../../../../client/types.gen.ts';
import { readWhole } from '../../../../ui/read-number.ts';
import { t } from '../../../../ui/text.ts';
import { areValid, nameError } from '../../../../ui/use-form-errors.ts';
import type { Described } from '../../../../ui/versioned-edit.ts';
import { appIdError } from '../app-id-error.ts';
import { presetName } from '../shops.ts';
import { type FormatName, formatFields, problemOfFormat, shownFormat } from './format-fields.ts';

type Settings = Connector['settings'];

/** Input of the form. An empty text stands for the default. */
export interface SettingsFields {
  name: string;
  /** Empty for the default group. */
  groupId: string;
  codeField: string;
  playerField: string;
  transactionField: string;
  usesPlayerCode: boolean;
  clawsBack: boolean;
  isTestAccount: boolean;
  isShopAddress: boolean;
  renewalMonths: string;
  stripeSales: NonNullable<Settings['stripeSales']>;
  /** Empty for other providers than Steam. */
  steamAppId: string;
  format: Readonly<Record<FormatName, string>>;
  isOfSteam: boolean;
  /** Settings that the form doesn't have. A save doesn't change them. */
  others: Settings;
}

const formatNames: readonly FormatName[] = ['preset', ...formatFields.map(({ name }) => name)];

export function fieldsOf({ name, groupId, provider, settings }: Connector): SettingsFields {
  const { codeField, playerField, transactionField, usesPlayerCode, clawsBack, ...more } = settings;
  const { isTestAccount, isShopAddress, renewalMonths, stripeSales, steamAppId, ...last } = more;
  const { generic = {}, ...others } = last;
  return {
    name,
    groupId: groupId ?? '',
    codeField: codeField ?? '',
    playerField: playerField ?? '',
    transactionField: transactionField ?? '',
    usesPlayerCode: usesPlayerCode === true,
    clawsBack: clawsBack === true,
    isTestAccount: isTestAccount === true,
    isShopAddress: isShopAddress === true,
    renewalMonths: String(renewalMonths ?? 0),
    stripeSales: stripeSales ?? 'checkout',
    steamAppId: steamAppId ?? '',
    format: Object.fromEntries(formatNames.map((each) => [each, generic[each] ?? ''])) as never,
    isOfSteam: provider === 'steam',
    others,
  };
}

export const monthsBounds = { min: 0n, max: 120n };

/** Name of a format's field in the form, which may have other fields with the same name. */
export const formatFieldName = (name: FormatName): `format.${FormatName}` => `format.${name}`;

/** Returns the problem with each field by its name; null for a valid one. */
export const problemsOf = ({ name, renewalMonths, steamAppId, format, isOfSteam }: SettingsFields) => ({
  name: nameError(name),
  steamAppId: isOfSteam ? appIdError(steamAppId) : null,
  renewalMonths:
    readWhole(renewalMonths, monthsBounds).value === null ? t('Renewal period is required.') : null,
  ...(Object.fromEntries(
    formatFields.map((field) => [
      formatFieldName(field.name),
      problemOfFormat(field, format[field.name].trim()),
    ]),
  ) as Record<`format.${FormatName}`, string | null>),
});

/** @returns the changes to save; null while a field is invalid */
export function inputOf(fields: SettingsFields): ConnectorChanges | null {
  if (!areValid(problemsOf(fields))) return null;
  const months = Number(readWhole(fields.renewalMonths, monthsBounds).value);
  const generic = entered(fields.format) as GenericSettings;
  const { codeField, playerField, transactionField, stripeSales, steamAppId, others } = fields;
  return {
    name: fields.name.trim(),
    groupId: fields.groupId === '' ? null : fields.groupId,
    settings: {
      ...others,
      ...entered({ codeField, playerField, transactionField, steamAppId }),
      ...(fields.usesPlayerCode && { usesPlayerCode: true }),
      ...(fields.clawsBack && { clawsBack: true }),
      ...(fields.isTestAccount && { isTestAccount: true }),
      ...(fields.isShopAddress && { isShopAddress: true }),
      ...(months > 0 && { renewalMonths: months }),
      ...(stripeSales !== 'checkout' && { stripeSales }),
      ...(Object.keys(generic).length > 0 && { generic }),
    },
  };
}

/** Leaves out empty texts. */
const entered = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  );

const yesNo = (value: boolean): string => (value ? t('yes') : t('no'));

/** Names and values of all settings, for comparing two versions. */
export const describeSettings = (
  { format, ...fields }: SettingsFields,
  groupName: (groupId: string) => string,
): Described => [
  [t('Name'), fields.name.trim()],
  [t('Creator group'), fields.groupId === '' ? t('Default group') : groupName(fields.groupId)],
  [t('Creator code field'), fields.codeField.trim()],
  [t('Player ID field'), fields.playerField.trim()],
  [t('Transaction ID field'), fields.transactionField.trim()],
  [t('Fall back to the player’s code'), yesNo(fields.usesPlayerCode)],
  [t('Claw back refunds after payout'), yesNo(fields.clawsBack)],
  [t('Renewal period in months'), fields.renewalMonths.trim()],
  [t('Test account'), yesNo(fields.isTestAccount)],
  [t('App ID'), fields.steamAppId.trim()],
  [t('What counts as a purchase'), salesName(fields.stripeSales)],
  [t('Xsolla sends directly to this address'), yesNo(fields.isShopAddress)],
  [t('Preset'), presetName(format.preset)],
  ...formatFields.map((field) => [t(field.label), shownFormat(field, format[field.name].trim())] as const),
];

export const salesName = (sales: SettingsFields['stripeSales']): string =>
  sales === 'checkout' ? t('A paid Checkout session') : t('A successful PaymentIntent');
