import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { enterPayeeMethod } from '../../client/sdk.gen.ts';
import type { HolderType, PayeeMethodKind } from '../../client/types.gen.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { methodKinds } from '../../ui/method-kinds.ts';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { Unsaved } from '../../ui/unsaved.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { usePublisher } from '../session/session.ts';
import { kindWord } from './method-note.tsx';

/** Asks for a creator's payout method, which another person must then approve. */
export function EnterDialog({
  creator: { memberId, name },
  onClose,
}: {
  creator: { memberId: string; name: string };
  onClose(): void;
}) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<PayeeMethodKind>('paypal');
  const [holderType, setHolderType] = useState<HolderType>('individual');
  const [texts, setTexts] = useState({ holderName: '', country: '', email: '', iban: '', bic: '' });
  const isBank = kind === 'sepa';
  const missing = (text: string, words: string): string | null => (text.trim() === '' ? words : null);
  const form = useFormErrors({
    holderName: missing(texts.holderName, t('Legal name is required.')),
    country: missing(texts.country, t('Country is required.')),
    email: isBank ? null : missing(texts.email, t('Email address is required.')),
    iban: isBank ? missing(texts.iban, t('IBAN is required.')) : null,
  });
  const field = (of: keyof typeof texts) => ({
    name: of,
    value: texts[of],
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTexts((before) => ({ ...before, [of]: value })),
  });
  const save = async (): Promise<void> => {
    const { holderName, country, email, iban, bic } = texts;
    await enterPayeeMethod({
      path: { publisherId, memberId },
      body: {
        kind,
        holderName,
        holderType,
        country,
        ...(isBank ? { iban, ...(bic.trim() !== '' && { bic }) } : { email }),
      },
      throwOnError: true,
    });
    await queryClient.invalidateQueries();
    toast(t('Payout method added. Another person must approve it.'));
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Add a payout method for {name}', { name })}
      action={t('Add method')}
      onConfirm={save}
      check={form.check}
    >
      <Stack gap="sm">
        <Unsaved values={{ kind, holderType, ...texts }} />
        <Text size="sm">
          {t('Another person with the same permission must approve it before payouts use it.')}
        </Text>
        <NativeSelect
          label={t('Method')}
          data={methodKinds.map((each) => ({ value: each as string, label: kindWord(each) }))}
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(value as PayeeMethodKind)}
        />
        <TextInput
          label={t('Account holder’s legal name')}
          description={
            isBank ? t('In Latin letters, exactly as the bank has it. Up to 70 characters.') : undefined
          }
          error={form.errors.holderName}
          {...field('holderName')}
        />
        <NativeSelect
          label={t('Account holder')}
          data={[
            { value: 'individual', label: t('Individual') },
            { value: 'business', label: t('Business') },
          ]}
          value={holderType}
          onChange={({ currentTarget: { value } }) => setHolderType(value as HolderType)}
        />
        <TextInput
          label={t('Account holder’s country')}
          description={t('Two letters, such as DE.')}
          maxLength={2}
          error={form.errors.country}
          {...field('country')}
        />
        {isBank ? (
          <>
            <TextInput label={t('IBAN')} error={form.errors.iban} {...field('iban')} />
            <TextInput label={t('BIC')} description={t('Optional')} {...field('bic')} />
          </>
        ) : (
          <TextInput label={t('Email address')} type="email" error={form.errors.email} {...field('email')} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
