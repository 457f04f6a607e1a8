import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SignInMethods } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { supportsPasskeys } from '../../ui/passkey.ts';
import { t } from '../../ui/text.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { callAuth } from './auth.ts';
import { codeError, emailError, passwordError } from './field-errors.ts';
import { CodeField, EmailField, PasswordField } from './fields.tsx';
import { signInWithPasskey } from './passkey.ts';

interface SignInFormProps {
  /** Email address to prefill after a session has ended. */
  email?: string | null;
  /** Path that a provider redirects back to. */
  next: string;
  onSignedIn(): void | Promise<void>;
}

export function SignInForm({ email = null, next, onSignedIn }: SignInFormProps) {
  const [asksForCode, setAsksForCode] = useState(false);
  if (asksForCode) return <CodeForm onSignedIn={onSignedIn} />;
  return (
    <Stack>
      <PasswordForm email={email ?? ''} onSignedIn={onSignedIn} onCode={() => setAsksForCode(true)} />
      <OtherWays next={next} onSignedIn={onSignedIn} />
    </Stack>
  );
}

interface StepProps {
  onSignedIn: SignInFormProps['onSignedIn'];
}

function PasswordForm({ email: known, onSignedIn, onCode }: StepProps & { email: string; onCode(): void }) {
  const { error, isBusy, run } = useAttempt();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const { errors, check } = useFormErrors({ email: emailError(email), password: passwordError(password) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      const { asksForCode } = await callAuth<{ asksForCode: boolean }>('/auth/sign-in/password', {
        email,
        password,
      });
      if (asksForCode) onCode();
      else await onSignedIn();
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t sign in')} />}
        <EmailField value={email} onChange={setEmail} error={errors.email} />
        <PasswordField value={password} onChange={setPassword} error={errors.password} />
        <Button type="submit" loading={isBusy}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeForm({ onSignedIn }: StepProps) {
  const { error, isBusy, run } = useAttempt();
  const [code, setCode] = useState('');
  const { errors, check } = useFormErrors({ code: codeError(code) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await callAuth('/auth/sign-in/code', { code });
      await onSignedIn();
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t verify the code')} />}
        <Text>{t('Your account requires a second factor.')}</Text>
        <CodeField value={code} onChange={setCode} error={errors.code} />
        <Button type="submit" loading={isBusy}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

export const waysOptions = {
  queryKey: ['sign-in-methods'],
  queryFn: () => callAuth<SignInMethods>('/auth/ways'),
  staleTime: Number.POSITIVE_INFINITY,
};

function OtherWays({ next, onSignedIn }: StepProps & { next: string }) {
  const { data: ways } = useQuery(waysOptions);
  const { error, isBusy, run } = useAttempt();
  if (ways === undefined) return null;
  if (ways.refused !== null)
    return (
      <Alert color="yellow" icon={<Icon name="alert" />} title={t('Sign-in isn’t possible at this address')}>
        {ways.refused}
      </Alert>
    );
  const offersPasskey = ways.hasPasskeys && supportsPasskeys();
  if (!offersPasskey && ways.providers.length === 0) return null;
  const askPasskey = async (): Promise<void> => {
    if (await signInWithPasskey()) await onSignedIn();
  };
  const goTo = async (provider: string): Promise<void> => {
    const { url } = await callAuth<{ url: string }>('/auth/sign-in/provider', { provider, next });
    window.location.assign(url);
  };
  return (
    <Stack>
      <Divider label={t('or')} />
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t sign in')} />}
      {offersPasskey && (
        <Button
          variant="default"
          loading={isBusy}
          leftSection={<Icon name="key" />}
          onClick={() => void run(askPasskey)}
        >
          {t('Sign in with a passkey')}
        </Button>
      )}
      {ways.providers.map(({ id, name }) => (
        <Button key={id} variant="default" loading={isBusy} onClick={() => void run(() => goTo(id))}>
          {t('Sign in with {name}', { name })}
        </Button>
      ))}
    </Stack>
  );
}
