import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Invitation, JoinedByInvitation, Me } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { linkToken } from '../../../ui/link-token.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { When } from '../../../ui/when.tsx';
import { callAuth } from '../../session/auth.ts';
import { newPasswordError } from '../../session/field-errors.ts';
import { PasswordField } from '../../session/fields.tsx';
import { Providers } from '../../session/providers.tsx';
import { meOptions } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { OutsideFrame } from '../outside-frame.tsx';

/**
 * Page that an invitation link opens. Opening the page doesn't use up the invitation, because mail scanners
 * also open links.
 */
export function Page() {
  const [token] = useState(readToken);
  const [joined, setJoined] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => callAuth<Invitation>('/auth/invitation', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const me = useQuery({ ...meOptions, throwOnError: false });
  if (error !== null)
    return (
      <OutsideFrame title={t('This invitation can’t be used')}>
        <ErrorNotice error={error} title={t('Couldn’t load the invitation')} onRetry={() => void refetch()} />
      </OutsideFrame>
    );
  if (data === undefined || me.isPending)
    return (
      <OutsideFrame title={t('Invitation')}>
        <LateSkeleton lines={5} />
      </OutsideFrame>
    );
  return (
    <OutsideFrame title={t('Welcome to {publisher}', { publisher: data.publisherName })}>
      {joined === null ? (
        <>
          <Text mb="md">
            {t('You’ll join with the role {role}, invited by {who}, and sign in as {email}.', {
              who: data.invitedBy,
              email: data.email,
              role: data.role,
            })}{' '}
            {t('The invitation expires')} <When at={data.expiresAt} />.
          </Text>
          <Accept token={token} invitation={data} me={me.data ?? null} onJoined={setJoined} />
        </>
      ) : (
        <Joined invitation={data} publisherId={joined} />
      )}
    </OutsideFrame>
  );
}

/**
 * Reads the token from the fragment, or from session storage after a provider's redirect, which drops the
 * fragment.
 */
function readToken(): string {
  const name = 'attribution-invitation';
  const token = linkToken();
  if (token !== '') sessionStorage.setItem(name, token);
  return token || (sessionStorage.getItem(name) ?? '');
}

interface AcceptProps {
  invitation: Invitation;
  token: string;
}

interface NewProps extends AcceptProps {
  /** Called when a new person has joined but couldn't be signed in. */
  onJoined(publisherId: string): void;
}

function Accept({ me, onJoined, ...props }: NewProps & { me: Me | null }) {
  if (me?.email != null) return <AcceptAs {...props} email={me.email} />;
  if (props.invitation.hasWayIn) return <AcceptAfterSignIn {...props} />;
  return (
    <>
      <AcceptAsNew {...props} onJoined={onJoined} />
      <Providers next="/invitation" />
    </>
  );
}

function useArrive(): (publisherId: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (publisherId) => {
    sessionStorage.removeItem('attribution-invitation');
    await client.resetQueries({ queryKey: meOptions.queryKey });
    router.history.replace(`/p/${encodeURIComponent(publisherId)}`);
  };
}

function AcceptAs({ invitation, token, email }: AcceptProps & { email: string }) {
  const arrive = useArrive();
  const { error, isBusy, run } = useAttempt();
  if (email !== invitation.email)
    return (
      <Text>{t('You’re signed in as {email}. Sign out first, or use a private window.', { email })}</Text>
    );
  const accept = async (): Promise<void> => {
    const { publisherId } = await callAuth<{ publisherId: string }>('/auth/invitation/accept', { token });
    await arrive(publisherId);
  };
  return (
    <Stack>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t accept the invitation')} />}
      <Button loading={isBusy} onClick={() => void run(accept)}>
        {t('Accept invitation')}
      </Button>
    </Stack>
  );
}

function AcceptAfterSignIn({ invitation, token }: AcceptProps) {
  const arrive = useArrive();
  const { error, run } = useAttempt();
  const accept = async (): Promise<void> => {
    const { publisherId } = await callAuth<{ publisherId: string }>('/auth/invitation/accept', { token });
    await arrive(publisherId);
  };
  return (
    <Stack>
      <Text>{t('Sign in to accept the invitation.')}</Text>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t accept the invitation')} />}
      <SignInForm email={invitation.email} next="/invitation" onSignedIn={() => run(accept)} />
    </Stack>
  );
}

function AcceptAsNew({ token, onJoined }: NewProps) {
  const arrive = useArrive();
  const { error, isBusy, run } = useAttempt();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { errors, check } = useFormErrors({
    name: name.trim() === '' ? t('Name is required.') : null,
    password: newPasswordError(password),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      const asked = { token, name, password };
      const answer = await callAuth<JoinedByInvitation>('/auth/invitation/accept-as-new', asked);
      if (answer.isSignedIn) await arrive(answer.publisherId);
      else onJoined(answer.publisherId);
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t accept the invitation')} />}
        <TextInput
          label={t('Your name')}
          name="name"
          autoComplete="name"
          required
          error={errors.name}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <PasswordField isNew value={password} onChange={setPassword} error={errors.password} />
        <Button type="submit" loading={isBusy}>
          {t('Accept invitation')}
        </Button>
      </Stack>
    </form>
  );
}

function Joined({ invitation, publisherId }: { invitation: Invitation; publisherId: string }) {
  const arrive = useArrive();
  return (
    <Stack>
      <Alert color="green" role="status" title={t('You’ve joined')}>
        {t('Sign in with the password you chose.')}
      </Alert>
      <SignInForm
        email={invitation.email}
        next={`/p/${encodeURIComponent(publisherId)}`}
        onSignedIn={() => arrive(publisherId)}
      />
    </Stack>
  );
}
