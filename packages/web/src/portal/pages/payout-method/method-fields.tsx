import { TextInput } from '@mantine/core';
import type { HolderType, NewPayoutMethod, PayeeMethodKind } from '../../../client/portal/types.gen.ts';
import { methodKinds } from '../../../ui/method-kinds.ts';
import { t } from '../../../ui/text.ts';
import { methodName } from '../../method-name.ts';
import { Select } from '../../select.tsx';
import { countries } from './countries.ts';
import classes from './payout-method.module.css';

/** Payout method as it is being typed. */
export interface TypedMethod {
  kind: PayeeMethodKind;
  holderType: HolderType;
  holderName: string;
  country: string;
  email: string;
  iban: string;
  bic: string;
}

export const emptyMethod: TypedMethod = {
  kind: 'paypal',
  holderType: 'individual',
  holderName: '',
  country: '',
  email: '',
  iban: '',
  bic: '',
};

/** Returns what the service saves: only the fields of the kind. */
export function toBody({
  kind,
  holderType,
  holderName,
  country,
  email,
  iban,
  bic,
}: TypedMethod): NewPayoutMethod {
  const holder = { kind, holderType, holderName: holderName.trim(), country };
  if (kind !== 'sepa') return { ...holder, email: email.trim() };
  return { ...holder, iban: iban.trim(), ...(bic.trim() !== '' && { bic: bic.trim() }) };
}

interface FieldProps {
  typed: TypedMethod;
  onChange(typed: TypedMethod): void;
}

function kindNote(kind: PayeeMethodKind): string {
  switch (kind) {
    case 'paypal':
      return t('Paid to your PayPal account, in any currency.');
    case 'wise-email':
      return t('Wise emails you and asks where to send the money.');
    case 'sepa':
      return t('For euros, at banks that accept SEPA payments.');
  }
}

export function KindField({ typed, onChange }: FieldProps) {
  return (
    <fieldset className={classes.choice}>
      <legend>{t('How do you want to be paid?')}</legend>
      {methodKinds.map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="kind"
            value={kind}
            checked={typed.kind === kind}
            onChange={() => onChange({ ...typed, kind })}
          />
          <span>
            {methodName(kind)}
            <span>{kindNote(kind)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Fields for the account and its holder. */
export function MethodFields({
  typed,
  errors,
  onChange,
}: FieldProps & { errors: Partial<Record<'email' | 'iban' | 'holderName', string>> }) {
  const isBank = typed.kind === 'sepa';
  const field = (name: 'holderName' | 'email' | 'iban' | 'bic') => ({
    name,
    size: 'md',
    value: typed[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...typed, [name]: value }),
  });
  return (
    <>
      {isBank ? (
        <>
          <TextInput
            label={t('IBAN')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            error={errors.iban}
            {...field('iban')}
          />
          <TextInput
            label={t('BIC (optional)')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...field('bic')}
          />
        </>
      ) : (
        <TextInput
          label={t('Email address of your {provider} account', { provider: methodName(typed.kind) })}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email}
          {...field('email')}
        />
      )}
      <fieldset className={classes.choice}>
        <legend>{t('Whose account is it?')}</legend>
        {(['individual', 'business'] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="holderType"
              value={each}
              checked={typed.holderType === each}
              onChange={() => onChange({ ...typed, holderType: each })}
            />
            {each === 'individual' ? t('A person’s') : t('A business’s')}
          </label>
        ))}
      </fieldset>
      <TextInput
        label={t('Legal name')}
        description={
          isBank
            ? t('Exactly as your bank has it, in Latin letters. At most 70 characters.')
            : t('Exactly as {provider} has it.', { provider: methodName(typed.kind) })
        }
        autoComplete="name"
        error={errors.holderName}
        {...field('holderName')}
      />
    </>
  );
}

/** Choice of the holder's country. */
export const CountryField = ({ typed, error, onChange }: FieldProps & { error: string | undefined }) => (
  <Select
    label={typed.holderType === 'individual' ? t('Country') : t('Country of the business')}
    name="country"
    autoComplete="country"
    value={typed.country}
    error={error}
    onChange={({ currentTarget: { value } }) => onChange({ ...typed, country: value })}
    data={[
      { value: '', label: t('Choose') },
      ...countries().map(({ code, name }) => ({ value: code, label: name })),
    ]}
  />
);
