import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { linkToken } from '../../../ui/link-token.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { callAuth } from '../../session/auth.ts';
import { emailError, newPasswordError } from '../../session/field-errors.ts';
import { EmailField, PasswordField } from '../../session/fields.tsx';
import { waysOptions } from '../../session/sign-in-form.tsx';
import { OutsideFrame } from '../outside-frame.tsx';

/** Page that sets a new password if a reset link opened it. Otherwise, it offers to email a reset link. */
export function Page() {
  const [token] = useState(linkToken);
  return token === '' ? <Forgotten /> : <NewPassword token={token} />;
}

function Forgotten() {
  const { data: ways } = useQuery(waysOptions);
  const { error, isBusy, run } = useAttempt();
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { errors, check } = useFormErrors({ email: emailError(email) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await callAuth('/auth/password/forgot', { email });
      setSent(true);
    });
  };
  return (
    <OutsideFrame title={t('Reset your password')}>
      {isSent ? (
        <Alert color="green" role="status" title={t('Check your email')}>
          {t('If an account uses this address, a link is on its way. It works once and expires in an hour.')}
        </Alert>
      ) : ways?.hasMail === false ? (
        <Text>
          {t(
            'This service doesn’t send email. Ask its operator for a link. The operator can create one with',
          )}{' '}
          <code>{'npx attribution staff reset-password'}</code>.
        </Text>
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack>
            {error !== null && <ErrorNotice error={error} title={t('Couldn’t reset the password')} />}
            <EmailField value={email} onChange={setEmail} error={errors.email} />
            <Button type="submit" loading={isBusy}>
              {t('Email me a link')}
            </Button>
          </Stack>
        </form>
      )}
      <BackToSignIn />
    </OutsideFrame>
  );
}

function NewPassword({ token }: { token: string }) {
  const { error, isBusy, run } = useAttempt();
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const { errors, check } = useFormErrors({ password: newPasswordError(password) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await callAuth('/auth/password/reset', { token, password });
      setDone(true);
    });
  };
  return (
    <OutsideFrame title={t('Reset your password')}>
      {isDone ? (
        <Alert color="green" role="status" title={t('Password changed')}>
          {t('You’ve been signed out on all devices.')}
        </Alert>
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack>
            {error !== null && <ErrorNotice error={error} title={t('Couldn’t reset the password')} />}
            <PasswordField isNew value={password} onChange={setPassword} error={errors.password} />
            <Button type="submit" loading={isBusy}>
              {t('Change password')}
            </Button>
          </Stack>
        </form>
      )}
      <BackToSignIn />
    </OutsideFrame>
  );
}

const BackToSignIn = () => (
  <Text mt="md" size="sm">
    <Anchor renderRoot={(props) => <Link {...props} to="/sign-in" />}>{t('Back to sign-in')}</Anchor>
  </Text>
);
