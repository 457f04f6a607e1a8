import { Button, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { createCreator } from '../../../client/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { lackOfName, useComplete } from '../../../ui/use-complete.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { lackOfCode } from './lack-of-code.ts';
import { ShadowWarning } from './shadow-warning.tsx';
import { keyOf, useRefresh, useTiers } from './use-creators.ts';

/** Adds a creator to a group. What was typed stays when it is refused. */
export const CreateForm = ({ onClose }: { onClose(): void }) => (
  <Dialog opened onClose={onClose} title={t('Add a creator')}>
    <Fields onClose={onClose} />
  </Dialog>
);

function Fields({ onClose }: { onClose(): void }) {
  const { publisherId } = usePublisher();
  const { setQuery } = useUrlState();
  const refresh = useRefresh();
  const { rows: groups, group } = useGroups();
  const [chosenGroup, setGroupId] = useState<string | null>(null);
  // The groups may come after the form.
  const groupId = chosenGroup ?? group?.groupId ?? '';
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [scope, setScope] = useState<'group' | 'global'>('group');
  const [playerId, setPlayerId] = useState('');
  const [tier, setTier] = useState('');
  const [status, setStatus] = useState<'Approved' | 'Pending'>('Approved');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const settle = useUnsaved({ chosenGroup, name, code, scope, playerId, tier, status });
  const tiers = useTiers(groupId || undefined);
  const { errors, check } = useComplete({
    name: lackOfName(name),
    code: code.trim() === '' ? null : lackOfCode(code),
  });
  const add = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await createCreator({
        path: { publisherId },
        query: { group: groupId },
        body: {
          name: name.trim(),
          status,
          ...(playerId.trim() !== '' && { playerId: playerId.trim() }),
          ...(tier !== '' && { tier }),
          ...(code.trim() !== '' && {
            codes: [{ code: code.trim(), ...(scope === 'group' && { group: groupId }) }],
          }),
        },
        throwOnError: true,
      });
      await refresh();
      announce(t('{name} is added', { name: data.name }));
      settle();
      onClose();
      setQuery({ tab: status === 'Pending' ? 'pending' : null, open: keyOf(data) });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (groupId !== '' && check(event.currentTarget)) void add();
      }}
    >
      <Stack>
        <TextInput
          label={t('Name')}
          name="name"
          autoComplete="off"
          required
          maxLength={255}
          value={name}
          error={errors.name}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        {groups.length > 1 && (
          <NativeSelect
            label={t('Group')}
            value={groupId}
            data={groups.map((each) => ({ value: each.groupId, label: each.name }))}
            onChange={({ currentTarget: { value } }) => {
              setGroupId(value);
              setTier('');
            }}
          />
        )}
        <TextInput
          label={t('Code')}
          description={t('What players type. 2 to 32 letters, digits, _ and -; more can follow.')}
          name="code"
          autoComplete="off"
          spellCheck={false}
          value={code}
          error={errors.code}
          onChange={({ currentTarget: { value } }) => setCode(value)}
        />
        {code !== '' && groups.length > 1 && (
          <SegmentedControl
            aria-label={t('Where the code is good')}
            value={scope}
            data={[
              { value: 'group', label: t('This group alone') },
              { value: 'global', label: t('All groups of the creator') },
            ]}
            onChange={(value) => setScope(value as 'group' | 'global')}
          />
        )}
        {scope === 'group' && <ShadowWarning code={code} groupId={groupId} />}
        <TextInput
          label={t('Player id')}
          description={t('How your game knows the creator, when it does.')}
          maxLength={255}
          value={playerId}
          onChange={({ currentTarget: { value } }) => setPlayerId(value)}
        />
        {(tiers.data?.rows ?? []).length > 0 && (
          <NativeSelect
            label={t('Tier')}
            value={tier}
            data={[
              { value: '', label: t('No tier: the group’s own share') },
              ...(tiers.data?.rows ?? []).map((each) => ({
                value: each.name,
                label: `${each.name} · ${each.revShare} %`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => setTier(value)}
          />
        )}
        <NativeSelect
          label={t('Status')}
          value={status}
          data={[
            { value: 'Approved', label: t('Approved: codes credit at once') },
            { value: 'Pending', label: t('Pending: codes wait for approval') },
          ]}
          onChange={({ currentTarget: { value } }) => setStatus(value as 'Approved' | 'Pending')}
        />
        {error !== null && <ErrorNotice error={error} />}
        <Text size="sm" c="dimmed">
          {t('Many at once come by Import.')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Leave it')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={groupId === ''}>
            {t('Add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
