import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { requestCode } from '../../../client/portal/sdk.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { nameIn, useProviders } from '../../providers.ts';
import { VisitProblem } from '../../visit-problem.tsx';
import { OtherWays } from './other-ways.tsx';

interface EmailFormProps {
  /** True if the person was signed in until now. */
  hasEnded: boolean;
  /** Reason why a visit to a provider didn't sign in, and the provider. */
  visit: { problem: string; provider: string | undefined } | null;
  onSent(email: string): void;
  /** Called when a passkey has signed in. */
  onEntered(): void;
}

export function EmailForm({ hasEnded, visit, onSent, onEntered }: EmailFormProps) {
  const providers = useProviders();
  const [email, setEmail] = useState('');
  const { error, isBusy, run } = useAttempt();
  const { errors, check } = useFormErrors({
    email: /^\S+@\S+$/.test(email.trim()) ? null : t('Enter your email address, such as me@example.com.'),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await requestCode({ body: { email: email.trim() }, throwOnError: true });
      onSent(email.trim());
    });
  };
  return (
    <CreatorPage title={t('Sign in')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          {hasEnded && (
            <Alert role="status" title={t('You were signed out')}>
              {t('Sign in again to continue.')}
            </Alert>
          )}
          {visit !== null && (
            <VisitProblem problem={visit.problem} provider={nameIn(providers, visit.provider)} />
          )}
          <Text>
            {t('See what you earn and when you’re paid. We’ll email you a code. You don’t need a password.')}
          </Text>
          {error !== null && <Failing error={error} />}
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
            {t('Send code')}
          </Button>
        </Stack>
      </form>
      <OtherWays providers={providers} onEntered={onEntered} />
    </CreatorPage>
  );
}
