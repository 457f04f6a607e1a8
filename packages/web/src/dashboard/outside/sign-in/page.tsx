import { Alert, Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { t } from '../../../ui/text.ts';
import { meOptions } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { OutsideFrame } from '../outside-frame.tsx';

/** Paths of these pages alone: an address of somebody else's is not led to. */
const ownPath = (path: string | undefined): string =>
  /^\/(?![/\\])[^\\\s]*$/.test(path ?? '') ? (path ?? '/') : '/';

/** Reasons with which the way back from a provider ends here. */
const whyNot = (error: string): string =>
  error === 'another_person_at_provider'
    ? t(
        'This address belongs to another person of the provider than the one who signed in before. Sign in another way, or ask an owner of your publisher.',
      )
    : error === 'unavailable' || error === 'internal_server_error'
      ? t('The service is busy. Try again in a few seconds.')
      : error === 'too_many_attempts'
        ? t('Too many attempts. Try again in a minute.')
        : t('The provider let nobody in whom this service knows. Try again, or another way.');

/** Signs in and goes where one wanted to. */
export function Page() {
  const client = useQueryClient();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { next?: string; error?: string };
  const next = ownPath(search.next);
  return (
    <OutsideFrame title={t('Sign in')}>
      {search.error !== undefined && (
        <Alert color="red" role="alert" mb="md" title={t('Signing in did not work')}>
          {whyNot(search.error)}
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
          {t('I do not know my password')}
        </Anchor>
      </Text>
    </OutsideFrame>
  );
}
