import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { getPortalOfCreatorOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { disconnectCreatorFromPortal, inviteCreatorToPortal } from '../../../client/sdk.gen.ts';
import type { Creator, PortalOfCreator } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { When } from '../../../ui/when.tsx';
import { emailError } from '../../session/field-errors.ts';
import { usePublisher } from '../../session/session.ts';

/** Shows whether a person sees the creator's earnings in the portal, and invites them. Absent while the portal is off. */
export function CreatorPortal({ creator }: { creator: Creator }) {
  const { publisherId, may } = usePublisher();
  const { memberId } = creator;
  const [open, setOpen] = useState<'invite' | 'end' | null>(null);
  const { data, error, refetch } = useQuery(getPortalOfCreatorOptions({ path: { publisherId, memberId } }));
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the portal access')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined || !data.isOn) return null;
  const { connected, invitation } = data;
  const close = (): void => setOpen(null);
  return (
    <Stack gap="xs" component="section" aria-label={t('Portal')}>
      <Title order={3} size="h5">
        {t('Portal')}
      </Title>
      <Text size="sm">{stateOf(data)}</Text>
      {may('members') && (
        <Group gap="xs">
          {connected === null && (
            <Button size="xs" variant="default" onClick={() => setOpen('invite')}>
              {invitation === null ? t('Invite to portal…') : t('Invite again…')}
            </Button>
          )}
          {(connected !== null || invitation !== null) && (
            <Button size="xs" variant="default" onClick={() => setOpen('end')}>
              {connected === null ? t('Withdraw invitation…') : t('Disconnect…')}
            </Button>
          )}
        </Group>
      )}
      <Dialog opened={open === 'invite'} onClose={close} title={t('Invite {name} to the portal', creator)}>
        {open === 'invite' && <InviteForm creator={creator} onClose={close} />}
      </Dialog>
      <EndDialog creator={creator} portal={data} opened={open === 'end'} onClose={close} />
    </Stack>
  );
}

function stateOf({ connected, invitation }: PortalOfCreator): ReactNode {
  if (connected !== null)
    return (
      <>
        {connectedBy(connected.proof)} <When at={connected.since} precision="day" />.
      </>
    );
  if (invitation !== null)
    return (
      <>
        {t('{invitedBy} invited {email}. The link works until', invitation)}{' '}
        <When at={invitation.expiresAt} />.
      </>
    );
  return t('The creator can’t see their earnings in the portal yet. An auth code connects them, too.');
}

const connectedBy = (proof: NonNullable<PortalOfCreator['connected']>['proof']): string =>
  ({
    invitation: t('Connected by invitation since'),
    'auth-code': t('Connected with an auth code since'),
    application: t('Connected by their application since'),
    provider: t('Connected by signing in with their channel since'),
  })[proof];

interface DialogProps {
  creator: Creator;
  onClose(): void;
}

function InviteForm({ creator: { name, memberId }, onClose }: DialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const [email, setEmail] = useState('');
  const settle = useUnsaved({ email });
  const { errors, check } = useFormErrors({ email: emailError(email) });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget) || isBusy) return;
    void run(async () => {
      const { data } = await inviteCreatorToPortal({
        path: { publisherId, memberId },
        body: { email: email.trim() },
        throwOnError: true,
      });
      await refresh(queryClient, 'getPortalOfCreator');
      if (!data.isMailed)
        throw new Error(t('The mail server didn’t accept the email. Check the address, then send it again.'));
      settle();
      toast(t('Invited {email} to see the earnings of {name}', { email: data.email, name }));
      onClose();
    });
  };
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t send the invitation')} />}
        <Text size="sm">
          {t(
            'The person who opens the emailed link sees this creator’s codes, balances, and earnings. It works once and expires in seven days.',
          )}
        </Text>
        <TextInput
          label={t('Creator’s email address')}
          type="email"
          name="email"
          required
          data-autofocus
          autoComplete="off"
          value={email}
          error={errors.email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Send invitation')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function EndDialog({
  creator: { name, memberId },
  portal: { connected },
  opened,
  onClose,
}: DialogProps & { portal: PortalOfCreator; opened: boolean }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const isConnected = connected !== null;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isConnected ? t('Disconnect {name} from the portal?', { name }) : t('Withdraw the invitation?')}
      action={isConnected ? t('Disconnect') : t('Withdraw invitation')}
      isDangerous
      onConfirm={async () => {
        await disconnectCreatorFromPortal({ path: { publisherId, memberId }, throwOnError: true });
        await refresh(queryClient, 'getPortalOfCreator');
        toast(
          isConnected ? t('{name} is disconnected from the portal', { name }) : t('Invitation withdrawn'),
        );
      }}
    >
      <Text size="sm">
        {isConnected
          ? t('The person no longer sees this creator’s earnings. You can invite them again.')
          : t('The emailed link stops working.')}
      </Text>
    </ConfirmDialog>
  );
}
