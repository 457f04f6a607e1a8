import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestPayoutMethodCode, savePayoutMethod } from '../../../client/portal/sdk.gen.ts';
import type { NewPayoutMethod } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { EmailedCode } from '../../emailed-code.tsx';
import { Failing } from '../../failing.tsx';
import { Back } from '../../list.tsx';
import { methodName } from '../../method-name.ts';
import { goTo } from '../../place.ts';
import { usePublisher } from '../../publisher.ts';
import {
  CountryField,
  emptyMethod,
  KindField,
  MethodFields,
  type TypedMethod,
  toBody,
} from './method-fields.tsx';

/** Form for a new payout method, and then for the emailed code that saves it. */
export function MethodForm() {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(emptyMethod);
  /** Address that a code was sent to; null while the method is being typed. */
  const [email, setEmail] = useState<string | null>(null);
  const query = { publisher: publisherId };
  const body = toBody(typed);
  const request = async (): Promise<void> => {
    const { data } = await requestPayoutMethodCode({ query, body, throwOnError: true });
    setEmail(data.email);
  };
  const save = async (code: string): Promise<void> => {
    await savePayoutMethod({ query, body: { ...body, code }, throwOnError: true });
    await queryClient.invalidateQueries();
    goTo('/payout-method', { replaces: true });
    announce(t('Payout method saved'));
  };
  if (email !== null)
    return (
      <EmailedCode
        title={t('Confirm it’s you')}
        email={email}
        minutes={10}
        failure={t('Nothing was changed')}
        action={t('Save payout method')}
        onConfirm={save}
        onSendAgain={request}
        back={{ label: t('Go back and edit'), onBack: () => setEmail(null) }}
      >
        <Entered body={body} />
      </EmailedCode>
    );
  return <Typing typed={typed} onChange={setTyped} onSubmit={request} />;
}

/** Method that the code saves, so that the person can compare it once more. */
function Entered({ body: { kind, holderName, email, iban } }: { body: NewPayoutMethod }) {
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      {t('You’re about to be paid to: {method}, {account}, {holder}.', {
        method: methodName(kind),
        account: email ?? iban ?? '',
        holder: holderName,
      })}
    </Text>
  );
}

interface TypingProps {
  typed: TypedMethod;
  onChange(typed: TypedMethod): void;
  onSubmit(): Promise<void>;
}

function Typing({ typed, onChange, onSubmit }: TypingProps) {
  const { name: publisher } = usePublisher();
  const { error, isBusy, run } = useAttempt();
  const isBank = typed.kind === 'sepa';
  const missing = (text: string, words: string): string | null => (text.trim() === '' ? words : null);
  const { errors, check } = useFormErrors({
    email: isBank ? null : missing(typed.email, t('Email address is required.')),
    iban: isBank ? missing(typed.iban, t('IBAN is required.')) : null,
    holderName: missing(typed.holderName, t('Legal name is required.')),
    country: missing(typed.country, t('Country is required.')),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check(event.currentTarget)) void run(onSubmit);
  };
  return (
    <>
      <Back to="/payout-method">{t('Payout method')}</Back>
      <CreatorPage title={t('New payout method')}>
        <form noValidate onSubmit={submit}>
          <Stack>
            <KindField typed={typed} onChange={onChange} />
            <MethodFields typed={typed} errors={errors} onChange={onChange} />
            <CountryField typed={typed} error={errors.country} onChange={onChange} />
            <Text size="sm" c="dimmed">
              {t('Only {publisher} can see this. The portal later shows only a part of it.', { publisher })}
            </Text>
            {error !== null && <Failing error={error} title={t('That didn’t work')} />}
            <Button type="submit" size="md" loading={isBusy}>
              {t('Continue')}
            </Button>
          </Stack>
        </form>
      </CreatorPage>
    </>
  );
}
