import { Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { putPayeeSettings, readPayeeSettings } from '../../../client/sdk.gen.ts';
import type { PayeeSettings } from '../../../client/types.gen.ts';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { areValid, useFormErrors } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';

const maxDays = 30;
const bounds = { min: 0n, max: BigInt(maxDays) };

interface Fields {
  waitDays: string;
  paypalDecimalSign: PayeeSettings['paypalDecimalSign'];
  wiseHeader: string;
  wiseSourceCurrency: string;
  debtorName: string;
  debtorIban: string;
  debtorBic: string;
}

const fieldsOf = ({ debtor, ...saved }: PayeeSettings): Fields => ({
  waitDays: String(saved.waitDays),
  paypalDecimalSign: saved.paypalDecimalSign,
  wiseHeader: saved.wiseHeader ?? '',
  wiseSourceCurrency: saved.wiseSourceCurrency ?? '',
  debtorName: debtor?.name ?? '',
  debtorIban: debtor?.iban ?? '',
  debtorBic: debtor?.bic ?? '',
});

function problemsOf({ waitDays, wiseSourceCurrency, ...debtor }: Fields) {
  const [name, iban, bic] = [debtor.debtorName, debtor.debtorIban, debtor.debtorBic].map((each) =>
    each.trim(),
  );
  const hasDebtor = name !== '' || iban !== '' || bic !== '';
  return {
    waitDays:
      readWhole(waitDays, bounds).value === null
        ? t('Enter a number of days from 0 to {maxDays}.', { maxDays })
        : null,
    wiseSourceCurrency: /^([A-Z]{3})?$/.test(wiseSourceCurrency.trim().toUpperCase())
      ? null
      : t('Enter a three-letter currency code, such as EUR, or leave this empty.'),
    debtorName: hasDebtor && name === '' ? t('Name on the paying account is required.') : null,
    debtorIban: hasDebtor && iban === '' ? t('IBAN of the paying account is required.') : null,
  };
}

function inputOf(fields: Fields): Omit<PayeeSettings, 'version'> | null {
  if (!areValid(problemsOf(fields))) return null;
  const { wiseHeader, wiseSourceCurrency, debtorName, debtorIban, debtorBic } = fields;
  return {
    waitDays: Number(readWhole(fields.waitDays, bounds).value),
    paypalDecimalSign: fields.paypalDecimalSign,
    wiseHeader: wiseHeader.trim() || null,
    wiseSourceCurrency: wiseSourceCurrency.trim().toUpperCase() || null,
    debtor:
      debtorIban.trim() === ''
        ? null
        : { name: debtorName.trim(), iban: debtorIban.trim(), bic: debtorBic.trim() || null },
  };
}

/** Form for the waiting period of payout methods, and for the contents of payment files. */
export function PaymentFileForm({ settings }: { settings: PayeeSettings }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: settings,
    fieldsOf,
    describe: (fields) => [
      [t('Waiting period for new methods (days)'), fields.waitDays],
      [t('Decimal separator in PayPal files'), fields.paypalDecimalSign],
      [t('First line of your Wise template'), fields.wiseHeader],
      [t('Currency you use to pay Wise'), fields.wiseSourceCurrency],
      [t('Name on the paying account'), fields.debtorName],
      [t('IBAN of the paying account'), fields.debtorIban],
      [t('BIC of the paying account'), fields.debtorBic],
    ],
    read: inputOf,
    save: async (input, { version }) =>
      (await putPayeeSettings({ path, body: { ...input, version }, throwOnError: true })).data,
    readAgain: async () => (await readPayeeSettings({ path, throwOnError: true })).data,
    async onSaved(_, undo) {
      await refresh(queryClient, 'readPayeeSettings', 'listPaymentFiles');
      toast(t('Payment settings saved'), undo);
    },
  });
  const { errors, check } = useFormErrors(problemsOf(edit.fields));
  const text = (of: Exclude<keyof Fields, 'paypalDecimalSign' | 'waitDays'>, maxLength: number) => ({
    name: of,
    value: edit.fields[of],
    maxLength,
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      edit.change({ [of]: value }),
  });
  return (
    <VersionedForm edit={edit} check={check}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <WholeInput
          label={t('Waiting period for new methods (days)')}
          description={t('From 0 to {maxDays}. Applies to methods approved from now on.', { maxDays })}
          value={edit.fields.waitDays}
          bounds={bounds}
          onChange={(waitDays) => edit.change({ waitDays })}
        />
        <NativeSelect
          label={t('Decimal separator in PayPal files')}
          description={t('As used in the country of your PayPal account.')}
          data={[
            { value: '.', label: t('Period: 12.34') },
            { value: ',', label: t('Comma: 12,34') },
          ]}
          value={edit.fields.paypalDecimalSign}
          onChange={({ currentTarget: { value } }) =>
            edit.change({ paypalDecimalSign: value === ',' ? ',' : '.' })
          }
        />
        <TextInput
          label={t('First line of your Wise template')}
          description={t('Copy it from the template for “Send by email”.')}
          {...text('wiseHeader', 1_000)}
        />
        <TextInput
          label={t('Currency you use to pay Wise')}
          description={t('Three letters. Leave empty for the currency of the payout.')}
          error={errors.wiseSourceCurrency}
          {...text('wiseSourceCurrency', 3)}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t('The paying account is the bank account that SEPA files pay from. Other files don’t need it.')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('Name on the paying account')}
          description={t('In Latin letters, exactly as the bank has it.')}
          error={errors.debtorName}
          {...text('debtorName', 70)}
        />
        <TextInput
          label={t('IBAN of the paying account')}
          description={t('With or without spaces.')}
          error={errors.debtorIban}
          {...text('debtorIban', 60)}
        />
        <TextInput
          label={t('BIC of the paying account')}
          description={t('Optional')}
          {...text('debtorBic', 20)}
        />
      </SimpleGrid>
      <Group>
        <SaveButton edit={edit} />
      </Group>
    </VersionedForm>
  );
}
