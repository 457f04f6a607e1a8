import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { getSessionOptions, listEmailsQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { addEmail, requestEmailCodes } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { CodeInput, codeIn, isComplete } from '../../code-input.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { Back } from '../../list.tsx';
import { goTo } from '../../place.ts';

/** Form for a further address, and then for the codes from both emails. */
export function AddEmail() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const { errors, check } = useFormErrors({
    email: /^\S+@\S+$/.test(email.trim()) ? null : t('Enter an email address, such as me@example.com.'),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await requestEmailCodes({ body: { email: email.trim() }, throwOnError: true });
      setSent(true);
    });
  };
  if (isSent) return <Codes email={email.trim()} />;
  return (
    <>
      <Back to="/emails">{t('Email addresses')}</Back>
      <CreatorPage title={t('Add an address')}>
        <form noValidate onSubmit={submit}>
          <Stack>
            <Text>{t('Use an address that only you can read. You can sign in with it.')}</Text>
            {error !== null && <Failing error={error} title={t('Nothing was changed')} />}
            <TextInput
              label={t('Email address')}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              size="md"
              error={errors.email}
              value={email}
              onChange={({ currentTarget: { value } }) => setEmail(value)}
            />
            <Button type="submit" size="md" loading={isBusy}>
              {t('Send codes')}
            </Button>
          </Stack>
        </form>
      </CreatorPage>
    </>
  );
}

/** Form for the codes from the emails to the first and to the new address. */
function Codes({ email }: { email: string }) {
  const client = useQueryClient();
  const { data } = useQuery(getSessionOptions());
  const [code, setCode] = useState('');
  const [newCode, setNewCode] = useState('');
  const { error, isBusy, run } = useAttempt();
  const incomplete = t('Enter the eight letters and digits of the code.');
  const { errors, check } = useFormErrors({
    code: isComplete(code) ? null : incomplete,
    newCode: isComplete(newCode) ? null : incomplete,
  });
  const add = async (): Promise<void> => {
    const body = { email, code: codeIn(code), newCode: codeIn(newCode) };
    const { data: emails } = await addEmail({ body, throwOnError: true });
    client.setQueryData(listEmailsQueryKey(), emails);
    goTo('/emails', { replaces: true });
    announce(t('Address added'));
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check(event.currentTarget)) void run(add);
  };
  return (
    <CreatorPage title={t('Enter both codes')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text>{t('We sent a code to each of the two addresses. They work for 10 minutes.')}</Text>
          {error !== null && <Failing error={error} title={t('Nothing was changed')} />}
          <CodeInput
            label={t('Code sent to {email}', { email: data?.email ?? '' })}
            name="code"
            autoComplete="off"
            error={errors.code}
            value={code}
            onChange={setCode}
          />
          <CodeInput
            label={t('Code sent to {email}', { email })}
            name="newCode"
            autoComplete="one-time-code"
            error={errors.newCode}
            value={newCode}
            onChange={setNewCode}
          />
          <Button type="submit" size="md" loading={isBusy}>
            {t('Add address')}
          </Button>
          <LinkButton to="/emails" variant="default">
            {t('Cancel')}
          </LinkButton>
        </Stack>
      </form>
    </CreatorPage>
  );
}
