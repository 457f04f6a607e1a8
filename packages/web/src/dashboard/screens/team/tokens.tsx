import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTokensOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { createToken, revokeToken } from '../../../client/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { lackOfName, useComplete } from '../../../ui/use-complete.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { roleOption } from './role-option.tsx';
import { type Role, roleChoices, roleWord } from './role-words.ts';
import { ShownOnce } from './shown-once.tsx';

/** With what scripts and Terraform do what a role may, without a browser. */
export function Tokens() {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const options = listTokensOptions({ path: { publisherId } });
  const list = useQuery({ ...options, select: ({ rows }) => ({ rows, nextCursor: null }) });
  const [isMaking, setMaking] = useState(false);
  const [asked, setAsked] = useState<{ tokenId: string; name: string } | null>(null);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: options.queryKey });
  const make = <Button onClick={() => setMaking(true)}>{t('Make a token')}</Button>;
  return (
    <Stack>
      <Group justify="flex-end">{make}</Group>
      <DataTable
        label={t('Operator tokens')}
        columns={[
          { id: 'name', header: t('Name'), cell: ({ name }) => name },
          { id: 'role', header: t('Role'), cell: ({ role }) => roleWord(role) },
          {
            id: 'state',
            header: t('State'),
            cell: ({ state }) => <TokenState state={state} />,
          },
          {
            id: 'until',
            header: t('Ends'),
            hiddenBelow: 'sm',
            cell: ({ expiresAt }) => <When at={expiresAt} />,
          },
          {
            id: 'used',
            header: t('Last used'),
            hiddenBelow: 'sm',
            cell: ({ lastUsedAt }) => <When at={lastUsedAt} />,
          },
          {
            id: 'actions',
            header: t('Actions'),
            align: 'end',
            cell: ({ tokenId, name, revokedAt }) =>
              revokedAt === null && (
                <Button size="compact-sm" variant="default" onClick={() => setAsked({ tokenId, name })}>
                  {t('Revoke')}
                </Button>
              ),
          },
        ]}
        page={list}
        rowKey={({ tokenId }) => tokenId}
        empty={
          <EmptyState
            icon="key"
            title={t('No program has a token')}
            curl={`curl -sS ${window.location.origin}/admin/v1/publishers/${publisherId}/staff -H 'Authorization: Bearer svc_ok_…'`}
          >
            {t(
              'A token lets a script do what a role may, until it ends. It moves no money and changes no people.',
            )}
          </EmptyState>
        }
      />
      <Dialog opened={isMaking} onClose={() => setMaking(false)} title={t('Make an operator token')}>
        {isMaking && <TokenForm onMade={refresh} onClose={() => setMaking(false)} />}
      </Dialog>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('Revoke {name}?', { name: asked?.name })}
        action={t('Revoke')}
        isDangerous
        onConfirm={async () => {
          if (asked === null) return;
          await revokeToken({ path: { publisherId, tokenId: asked.tokenId }, throwOnError: true });
          announce(t('Revoked'));
          await refresh();
        }}
      >
        {t('Programs that have it are refused from their next request on.')}
      </ConfirmDialog>
    </Stack>
  );
}

function TokenState({ state }: { state: string }) {
  if (state === 'works') return <StatusBadge tone="good">{t('works')}</StatusBadge>;
  return <StatusBadge tone="over">{state === 'revoked' ? t('revoked') : t('ended')}</StatusBadge>;
}

/** Days that a token may last. */
const dayBounds = { min: 1n, max: 366n };

function TokenForm({ onMade, onClose }: { onMade(): Promise<void>; onClose(): void }) {
  const { publisherId } = usePublisher();
  const [error, setError] = useState<unknown>(null);
  const [token, setToken] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState('90');
  const [isBusy, setBusy] = useState(false);
  const settle = useUnsaved({ name, role, days });
  const expiresInDays = readWhole(days, dayBounds).value;
  const { errors, check } = useComplete({
    name: lackOfName(name),
    days: expiresInDays === null ? t('Enter a number of days.') : null,
  });
  const make = async (): Promise<void> => {
    if (expiresInDays === null) return;
    setBusy(true);
    setError(null);
    try {
      const body = { name, role, expiresInDays: Number(expiresInDays) };
      const { data } = await createToken({ path: { publisherId }, body, throwOnError: true });
      settle();
      setToken(data.token);
      await onMade();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  if (token !== null)
    return (
      <ShownOnce
        about={t('Send it as “Authorization: Bearer …”.')}
        value={token}
        copy={t('Copy the token')}
        onClose={onClose}
      />
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy) void make();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('No token was made')} />}
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          placeholder="terraform"
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={errors.name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Select
          label={t('Role')}
          data={roleChoices()}
          renderOption={roleOption}
          allowDeselect={false}
          value={role}
          onChange={(value) => setRole((value ?? 'viewer') as Role)}
        />
        <WholeInput
          label={t('Days until it ends')}
          name="days"
          value={days}
          bounds={dayBounds}
          lack={errors.days}
          required
          onChange={setDays}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Leave it')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Make it')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
