import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { useComplete } from '../../../ui/use-complete.ts';
import { askAuth } from '../../session/auth.ts';
import { EmailField, lackOfEmail, lackOfNewPassword, PasswordField } from '../../session/fields.tsx';
import { waysOptions } from '../../session/sign-in-form.tsx';
import { useAttempt } from '../../session/use-attempt.ts';
import { linkToken } from '../link-token.ts';
import { OutsideFrame } from '../outside-frame.tsx';

/** With a link, a new password; without one, how to get it. */
export function Page() {
  const [token] = useState(linkToken);
  return token === '' ? <Forgotten /> : <NewPassword token={token} />;
}

function Forgotten() {
  const { data: ways } = useQuery(waysOptions);
  const { error, isBusy, run } = useAttempt();
  const [email, setEmail] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { errors, check } = useComplete({ email: lackOfEmail(email) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await askAuth('/auth/password/forgot', { email });
      setAsked(true);
    });
  };
  return (
    <OutsideFrame title={t('A new password')}>
      {isAsked ? (
        <Alert color="green" role="status" title={t('Look into your mail')}>
          {t('If somebody here has this address, a link is on its way. It is good once, and for an hour.')}
        </Alert>
      ) : ways?.hasMail === false ? (
        <Text>
          {t('No mail is sent from here. Ask whoever runs the service for a link: they type')}{' '}
          <code>{'npx attribution staff reset-password'}</code>.
        </Text>
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack>
            {error !== null && <ErrorNotice error={error} />}
            <EmailField value={email} onChange={setEmail} error={errors.email} />
            <Button type="submit" loading={isBusy}>
              {t('Mail me a link')}
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
  const { errors, check } = useComplete({ password: lackOfNewPassword(password) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await askAuth('/auth/password/reset', { token, password });
      setDone(true);
    });
  };
  return (
    <OutsideFrame title={t('A new password')}>
      {isDone ? (
        <Alert color="green" role="status" title={t('It is changed')}>
          {t('Whoever was signed in with the old one is out.')}
        </Alert>
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack>
            {error !== null && <ErrorNotice error={error} />}
            <PasswordField isNew value={password} onChange={setPassword} error={errors.password} />
            <Button type="submit" loading={isBusy}>
              {t('Change it')}
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
    <Anchor renderRoot={(props) => <Link {...props} to="/sign-in" />}>{t('To the sign-in')}</Anchor>
  </Text>
);
