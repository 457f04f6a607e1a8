import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getSessionOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { acceptInvitation, getInvitation } from '../../../client/portal/sdk.gen.ts';
import type { Invitation } from '../../../client/portal/types.gen.ts';
import { linkToken } from '../../../ui/link-token.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { queryClient } from '../../api.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { goTo } from '../../place.ts';
import { Skeletons } from '../../skeletons.tsx';

/** Page that the link of an invitation opens. Opening it doesn't use the invitation up. */
export function Page() {
  const [token] = useState(linkToken);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await getInvitation({ body: { token }, throwOnError: true })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const session = useQuery({ ...getSessionOptions(), retry: false });
  if (invitation.error !== null)
    return (
      <CreatorPage title={t('This invitation can’t be used')}>
        <Stack>
          <Failing error={invitation.error} onRetry={() => void invitation.refetch()} />
          <LinkButton to="/" variant="default">
            {t('Go to Home')}
          </LinkButton>
        </Stack>
      </CreatorPage>
    );
  if (invitation.data === undefined || session.isPending) return <Skeletons heights={[64, 66, 44]} />;
  const { publisherName, accountName } = invitation.data;
  return (
    <CreatorPage title={t('{publisher} invites you', { publisher: publisherName })}>
      <Stack>
        <Text>
          {t('Accept to see what the creator account {account} earns at {publisher}, and when it’s paid.', {
            account: accountName,
            publisher: publisherName,
          })}
        </Text>
        <Accept token={token} invitation={invitation.data} email={session.data?.email ?? null} />
      </Stack>
    </CreatorPage>
  );
}

interface AcceptProps {
  token: string;
  invitation: Invitation;
  /** Address of the person who is signed in; null if there is no session. */
  email: string | null;
}

function Accept({ token, invitation, email }: AcceptProps) {
  const { error, isBusy, run } = useAttempt();
  const accept = (as: 'invited' | 'signed-in'): void =>
    void run(async () => {
      await acceptInvitation({ body: { token, as }, throwOnError: true });
      queryClient.clear();
      goTo('/', { replaces: true });
    });
  const isOther = email !== null && email !== invitation.email;
  return (
    <>
      {error !== null && <Failing error={error} title={t('The invitation wasn’t accepted')} />}
      {isOther && (
        <Text>
          {t('You’re signed in as {email}. The invitation was sent to {invited}.', {
            email,
            invited: invitation.email,
          })}
        </Text>
      )}
      <Button size="md" loading={isBusy} onClick={() => accept(email === null ? 'invited' : 'signed-in')}>
        {isOther ? t('Accept as {email}', { email }) : t('Accept invitation')}
      </Button>
      {isOther && (
        <Button variant="default" size="md" loading={isBusy} onClick={() => accept('invited')}>
          {t('Accept as {email}', { email: invitation.email })}
        </Button>
      )}
      <Text size="sm" c="dimmed">
        {t('From then on, only you can see this account in the portal. The invitation expires on {day}.', {
          day: formatWhen(invitation.expiresAt, 'viewer', 'day'),
        })}
      </Text>
    </>
  );
}
