import { Button, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { Suspense, useState } from 'react';
import { createCreator } from '../../../client/sdk.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { useFieldErrors } from '../../../ui/use-field-errors.tsx';
import { nameError } from '../../../ui/use-form-errors.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { GroupEditor } from '../lazy-group-editor.ts';
import { useGroups } from '../use-groups.ts';
import { codeError } from './code-error.ts';
import { ShadowWarning } from './shadow-warning.tsx';
import { keyOf, useRefresh, useTiers } from './use-creators.ts';

interface CreateFormProps {
  onClose(): void;
  /** Replaces the default, which opens the new creator on the Creators screen. */
  onAdded?: (() => void) | undefined;
}

/** Dialog that adds a creator to a group, after creating the first group if there is none. If a request fails, the input isn't lost. */
export function CreateForm({ onClose, onAdded }: CreateFormProps) {
  const { groups, rows } = useGroups();
  const { may } = usePublisher();
  const lacksGroup = groups.data !== undefined && rows.length === 0;
  return lacksGroup ? (
    <Dialog key="group" opened onClose={onClose} title={t('Create group')}>
      <Stack>
        <Text size="sm">
          {may('program')
            ? t(
                'Creators belong to a group, which sets what they earn. Create the first group, then add the creator.',
              )
            : t('Creators belong to a group, and there isn’t one yet. A manager can create one.')}
        </Text>
        {may('program') && (
          <Suspense fallback={<LateSkeleton />}>
            <GroupEditor group={null} isFirst onDone={() => undefined} onCancel={onClose} />
          </Suspense>
        )}
      </Stack>
    </Dialog>
  ) : (
    <Dialog key="creator" opened onClose={onClose} title={t('Add creator')}>
      <Fields onClose={onClose} onAdded={onAdded} />
    </Dialog>
  );
}

function Fields({ onClose, onAdded }: CreateFormProps) {
  const { publisherId } = usePublisher();
  const { setQuery } = useUrlState();
  const refresh = useRefresh();
  const { rows: groups, group } = useGroups();
  const [chosenGroup, setGroupId] = useState<string | null>(null);
  // The groups may load after the form.
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
  const { errors, check, notice } = useFieldErrors(
    {
      name: nameError(name),
      code: code.trim() === '' ? null : codeError(code),
      playerId: null,
    },
    error,
  );
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
      toast(t('{name} added to {group}', { name: data.name, group: data.groupName }));
      settle();
      onClose();
      if (onAdded === undefined)
        setQuery({ tab: status === 'Pending' ? 'pending' : null, open: keyOf(data) });
      else onAdded();
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
          description={t(
            'Players enter this code. 2 to 32 letters, digits, _ and -. You can add more codes later.',
          )}
          name="code"
          autoComplete="off"
          spellCheck={false}
          value={code}
          error={errors.code}
          onChange={({ currentTarget: { value } }) => setCode(value)}
        />
        {code !== '' && groups.length > 1 && (
          <SegmentedControl
            aria-label={t('Where the code works')}
            value={scope}
            data={[
              { value: 'group', label: t('This group only') },
              { value: 'global', label: t('All of the creator’s groups') },
            ]}
            onChange={(value) => setScope(value as 'group' | 'global')}
          />
        )}
        {scope === 'group' && <ShadowWarning code={code} groupId={groupId} />}
        <TextInput
          label={t('Player ID')}
          name="playerId"
          description={t('The creator’s ID in your game, if any.')}
          maxLength={255}
          value={playerId}
          error={errors.playerId}
          onChange={({ currentTarget: { value } }) => setPlayerId(value)}
        />
        {(tiers.data?.rows ?? []).length > 0 && (
          <NativeSelect
            label={t('Tier')}
            value={tier}
            data={[
              { value: '', label: t('No tier (group share)') },
              ...(tiers.data?.rows ?? []).map((each) => ({
                value: each.name,
                label: `${each.name} · ${formatPercent(each.revShare)}`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => setTier(value)}
          />
        )}
        <NativeSelect
          label={t('Status')}
          value={status}
          data={[
            { value: 'Approved', label: t('Approved: codes work right away') },
            { value: 'Pending', label: t('Pending: codes wait for approval') },
          ]}
          onChange={({ currentTarget: { value } }) => setStatus(value as 'Approved' | 'Pending')}
        />
        {notice !== null && <ErrorNotice error={notice} title={t('Couldn’t add the creator')} />}
        <Text size="sm" c="dimmed">
          {t('To add many creators,')}{' '}
          <ScreenLink isInText screen="creators/import" query={{ group: groupId || undefined }}>
            {t('import a CSV file')}
          </ScreenLink>
          .
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={groupId === ''}>
            {t('Add creator')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
