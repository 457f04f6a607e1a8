import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listInvitationsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { withdrawInvitation } from '../../../client/sdk.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { roleWord } from './role-words.ts';

export function Invitations() {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const options = listInvitationsOptions({ path: { publisherId } });
  const list = useQuery({ ...options, select: ({ rows }) => ({ rows, nextCursor: null }) });
  const [asked, setAsked] = useState<{ invitationId: string; email: string } | null>(null);
  return (
    <>
      <DataTable
        label={t('Invitations')}
        columns={[
          { id: 'email', header: t('Email'), cell: ({ email }) => email },
          { id: 'role', header: t('Role'), cell: ({ role }) => roleWord(role) },
          { id: 'by', header: t('Invited by'), hiddenBelow: 'sm', cell: ({ invitedBy }) => invitedBy },
          { id: 'until', header: t('Expires'), cell: ({ expiresAt }) => <When at={expiresAt} /> },
          {
            id: 'actions',
            header: t('Actions'),
            align: 'end',
            cell: ({ invitationId, email }) => (
              <Button size="compact-sm" variant="default" onClick={() => setAsked({ invitationId, email })}>
                {t('Withdraw')}
              </Button>
            ),
          },
        ]}
        page={list}
        rowKey={({ invitationId }) => invitationId}
        empty={
          <EmptyState icon="team" title={t('No open invitations')}>
            {t('Invite colleagues with the button above. If a link was lost, invite that person again.')}
          </EmptyState>
        }
      />
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('Withdraw the invitation for {email}?', { email: asked?.email })}
        action={t('Withdraw invitation')}
        onConfirm={async () => {
          if (asked === null) return;
          const path = { publisherId, invitationId: asked.invitationId };
          await withdrawInvitation({ path, throwOnError: true });
          toast(t('Invitation for {email} withdrawn', { email: asked.email }));
          await client.invalidateQueries({ queryKey: options.queryKey });
        }}
      >
        {t('The link stops working.')}
      </ConfirmDialog>
    </>
  );
}
