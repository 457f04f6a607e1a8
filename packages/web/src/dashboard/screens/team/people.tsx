import { ActionIcon, Menu, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listStaffOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { endSessions, removePerson } from '../../../client/sdk.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { useMe, usePublisher } from '../../session/session.ts';
import type { Person } from './person.ts';
import { RoleDialog } from './role-dialog.tsx';
import { roleWord } from './role-words.ts';

type PersonAction = { what: 'role' | 'remove' | 'sign-out'; person: Person } | null;

export function People() {
  const { publisherId, may } = usePublisher();
  const client = useQueryClient();
  const options = listStaffOptions({ path: { publisherId } });
  const list = useQuery({ ...options, select: ({ rows }) => ({ rows, nextCursor: null }) });
  const [action, setAction] = useState<PersonAction>(null);
  const person = action?.person;
  const path = { publisherId, userId: person?.userId ?? '' };
  const changed = async (words: string): Promise<void> => {
    toast(words);
    await client.invalidateQueries({ queryKey: options.queryKey });
  };
  const close = (): void => setAction(null);
  return (
    <>
      <DataTable
        label={t('People')}
        columns={columns(may('team') ? setAction : null)}
        page={list}
        rowKey={({ userId }) => userId}
        empty={
          <EmptyState
            icon="team"
            title={t('No team members yet')}
            curl={`attribution staff invite --publisher ${publisherId} --email you@example.com --role owner`}
          >
            {t('Invite the first owner from a terminal.')}
          </EmptyState>
        }
      />
      {action?.what === 'role' && (
        <RoleDialog
          person={action.person}
          onClose={close}
          onChanged={(name, role) =>
            changed(t('{name}’s role changed to {role}', { name, role: roleWord(role) }))
          }
        />
      )}
      <ConfirmDialog
        opened={action?.what === 'remove'}
        onClose={close}
        title={t('Remove {name}?', { name: person?.name })}
        action={t('Remove')}
        isDangerous
        onConfirm={async () => {
          await removePerson({ path, throwOnError: true });
          await changed(t('{name} removed from the team', { name: person?.name }));
        }}
      >
        {t(
          '{name} ({email}) loses access to this publisher immediately. Their actions stay in the audit log.',
          {
            name: person?.name,
            email: person?.email,
          },
        )}
      </ConfirmDialog>
      <ConfirmDialog
        opened={action?.what === 'sign-out'}
        onClose={close}
        title={t('Sign out {name} everywhere?', { name: person?.name })}
        action={t('Sign out')}
        onConfirm={async () => {
          await endSessions({ path, throwOnError: true });
          await changed(t('{name} is signed out everywhere', { name: person?.name }));
        }}
      >
        {t('They can sign in again without losing unsaved changes.')}
      </ConfirmDialog>
    </>
  );
}

function columns(ask: ((action: PersonAction) => void) | null): Column<Person>[] {
  return [
    {
      id: 'name',
      header: t('Name'),
      cell: ({ name, email, userId }) => <Name name={name} email={email} userId={userId} />,
    },
    { id: 'role', header: t('Role'), noWrap: true, cell: ({ role }) => roleWord(role) },
    {
      id: 'second',
      header: t('Second factor'),
      hiddenBelow: 'sm',
      cell: ({ hasSecondFactor }) =>
        hasSecondFactor ? (
          <StatusBadge tone="good">{t('Set up')}</StatusBadge>
        ) : (
          <StatusBadge tone="neutral">{t('None')}</StatusBadge>
        ),
    },
    {
      id: 'seen',
      header: t('Last seen'),
      tone: 'quiet',
      hiddenBelow: 'sm',
      cell: ({ lastSeenAt }) => <When at={lastSeenAt} />,
    },
    ...(ask === null
      ? []
      : [
          {
            id: 'actions',
            header: t('Actions'),
            align: 'end' as const,
            cell: (person: Person) => <PersonMenu person={person} ask={ask} />,
          },
        ]),
  ];
}

function Name({ name, email, userId }: { name: string; email: string; userId: string }) {
  const me = useMe();
  return (
    <>
      <Text component="span" fw={600}>
        {name}
      </Text>{' '}
      {me.id === userId && <Text component="span">{t('(you)')}</Text>}
      <Text size="sm" c="dimmed">
        {email}
      </Text>
    </>
  );
}

function PersonMenu({ person, ask }: { person: Person; ask(action: PersonAction): void }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('Edit {name}', { name: person.name })}
        >
          <Icon name="edit" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask({ what: 'role', person })}>{t('Change role')}</Menu.Item>
        <Menu.Item onClick={() => ask({ what: 'sign-out', person })}>{t('Sign out everywhere')}</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={() => ask({ what: 'remove', person })}>
          {t('Remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
