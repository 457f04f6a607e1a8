import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTokensOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { createToken, revokeToken } from '../../../client/sdk.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { nameError, useFormErrors } from '../../../ui/use-form-errors.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { roleOption } from './role-option.tsx';
import { type Role, roleChoices, roleWord } from './role-words.ts';
import { ShownOnce } from './shown-once.tsx';

/** Operator tokens, which let scripts and Terraform act with a role. */
export function Tokens() {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const options = listTokensOptions({ path: { publisherId } });
  const list = useQuery({ ...options, select: ({ rows }) => ({ rows, nextCursor: null }) });
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<{ tokenId: string; name: string } | null>(null);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: options.queryKey });
  const createButton = <Button onClick={() => setCreating(true)}>{t('Create token')}</Button>;
  return (
    <Stack>
      <Group justify="flex-end">{createButton}</Group>
      <DataTable
        label={t('Operator tokens')}
        columns={[
          { id: 'name', header: t('Name'), cell: ({ name }) => name },
          { id: 'role', header: t('Role'), cell: ({ role }) => roleWord(role) },
          {
            id: 'state',
            header: t('Status'),
            cell: ({ state }) => <TokenState state={state} />,
          },
          {
            id: 'until',
            header: t('Expires'),
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
            title={t('No operator tokens yet')}
            curl={`curl -sS ${window.location.origin}/admin/v1/publishers/${publisherId}/staff -H 'Authorization: Bearer svc_ok_…'`}
          >
            {t('A script can act with a token’s role, but can’t pay out money or manage people.')}
          </EmptyState>
        }
      />
      <Dialog opened={isCreating} onClose={() => setCreating(false)} title={t('Create operator token')}>
        {isCreating && <TokenForm onCreated={refresh} onClose={() => setCreating(false)} />}
      </Dialog>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('Revoke {name}?', { name: asked?.name })}
        action={t('Revoke token')}
        isDangerous
        onConfirm={async () => {
          if (asked === null) return;
          await revokeToken({ path: { publisherId, tokenId: asked.tokenId }, throwOnError: true });
          toast(t('Token {name} revoked', { name: asked.name }));
          await refresh();
        }}
      >
        {t('Scripts with this token lose access immediately.')}
      </ConfirmDialog>
    </Stack>
  );
}

function TokenState({ state }: { state: string }) {
  if (state === 'works') return <StatusBadge tone="good">{t('Active')}</StatusBadge>;
  return <StatusBadge tone="over">{state === 'revoked' ? t('Revoked') : t('Expired')}</StatusBadge>;
}

/** Bounds of a token's lifetime, in days. */
const dayBounds = { min: 1n, max: 366n };

function TokenForm({ onCreated, onClose }: { onCreated(): Promise<void>; onClose(): void }) {
  const { publisherId } = usePublisher();
  const [error, setError] = useState<unknown>(null);
  const [token, setToken] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState('90');
  const [isBusy, setBusy] = useState(false);
  const settle = useUnsaved({ name, role, days });
  const expiresInDays = readWhole(days, dayBounds).value;
  const { errors, check } = useFormErrors({
    name: nameError(name),
    days: expiresInDays === null ? t('Enter a number of days.') : null,
  });
  const create = async (): Promise<void> => {
    if (expiresInDays === null) return;
    setBusy(true);
    setError(null);
    try {
      const body = { name, role, expiresInDays: Number(expiresInDays) };
      const { data } = await createToken({ path: { publisherId }, body, throwOnError: true });
      settle();
      setToken(data.token);
      await onCreated();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  if (token !== null)
    return (
      <ShownOnce
        about={t('Send it in the “Authorization: Bearer …” header.')}
        value={token}
        copy={t('Copy token')}
        onClose={onClose}
      />
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy) void create();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t create the token')} />}
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          placeholder={t('For example {example}', { example: 'terraform' })}
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
          label={t('Expires after (days)')}
          name="days"
          value={days}
          bounds={dayBounds}
          error={errors.days}
          required
          onChange={setDays}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Create token')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
