import { Alert, Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { t } from '../../../ui/text.ts';
import { meOptions } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { OutsideFrame } from '../outside-frame.tsx';

/** Returns the path if it is on this site, otherwise `/`, because a link must not redirect to another site. */
const ownPath = (path: string | undefined): string =>
  /^\/(?![/\\])[^\\\s]*$/.test(path ?? '') ? (path ?? '/') : '/';

const providerError = (error: string): string =>
  error === 'another_person_at_provider'
    ? t(
        'At the sign-in provider, this email address now belongs to a different account. Sign in another way, or ask an owner of your publisher for help.',
      )
    : error === 'unavailable' || error === 'internal_server_error'
      ? t('The service is busy. Try again in a few seconds.')
      : error === 'too_many_attempts'
        ? t('Too many attempts. Try again in a minute.')
        : t(
            'Your account at this sign-in provider doesn’t have access. Sign in another way, or ask an owner for an invitation.',
          );

/** Sign-in page. After the person signs in, the page they requested opens. */
export function Page() {
  const client = useQueryClient();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { next?: string; error?: string };
  const next = ownPath(search.next);
  return (
    <OutsideFrame title={t('Sign in')}>
      {search.error !== undefined && (
        <Alert color="red" role="alert" mb="md" title={t('Couldn’t sign in')}>
          {providerError(search.error)}
        </Alert>
      )}
      <SignInForm
        next={next}
        onSignedIn={async () => {
          await client.resetQueries({ queryKey: meOptions.queryKey });
          router.history.push(next);
        }}
      />
      <Text mt="md" size="sm">
        <Anchor renderRoot={(props) => <Link {...props} to="/reset-password" />}>
          {t('Forgot your password?')}
        </Anchor>
      </Text>
    </OutsideFrame>
  );
}
