import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { askAuth } from './auth.ts';

interface SignInFormProps {
  /** Whose sign-in has ended; they need not say it again. */
  email?: string | null;
  onSignedIn(): void | Promise<void>;
}

/** Email and password, and the code of a second factor where there is one. All of it may be pasted. */
export function SignInForm({ email = null, onSignedIn }: SignInFormProps) {
  const [asksForCode, setAsksForCode] = useState(false);
  const next = async (answer: { asksForCode: boolean }): Promise<void> => {
    if (answer.asksForCode) setAsksForCode(true);
    else await onSignedIn();
  };
  return asksForCode ? <CodeForm onAnswer={next} /> : <PasswordForm email={email ?? ''} onAnswer={next} />;
}

interface StepProps {
  onAnswer(answer: { asksForCode: boolean }): Promise<void>;
}

function PasswordForm({ email, onAnswer }: StepProps & { email: string }) {
  const { error, isBusy, run } = useAttempt(onAnswer);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email, password: '' } });
  return (
    <form onSubmit={form.onSubmit((values) => void run(() => askAuth('/sign-in/password', values)))}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Signing in did not work')} />}
        <TextInput
          label={t('Email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus={email !== '' || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isBusy}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeForm({ onAnswer }: StepProps) {
  const { error, isBusy, run } = useAttempt(onAnswer);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  return (
    <form onSubmit={form.onSubmit((values) => void run(() => askAuth('/sign-in/code', values)))}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('The code was not taken')} />}
        <Text>{t('Your account asks for a second factor.')}</Text>
        <TextInput
          label={t('Code of your application, or a spare code')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={isBusy}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

/** One try at a time, and what went wrong with it. */
function useAttempt(onAnswer: StepProps['onAnswer']) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (ask: () => Promise<{ asksForCode: boolean }>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onAnswer(await ask());
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, run };
}
