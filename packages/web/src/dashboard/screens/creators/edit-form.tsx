import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { changeCreator, getCreator } from '../../../client/sdk.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { codeOf } from '../../../ui/api-failure.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { nameError, useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { useRefresh, useTiers } from './use-creators.ts';

interface Fields {
  name: string;
  playerId: string;
  tier: string;
  isVisible: boolean;
}

const fieldsOf = ({ name, playerId, tier, isVisible }: Creator): Fields => ({
  name,
  playerId: playerId ?? '',
  tier: tier?.name ?? '',
  isVisible,
});

/** Form that edits a creator. After a stale edit, it shows both versions and keeps the input. */
export function EditForm({ creator, onClose }: { creator: Creator; onClose(): void }) {
  const { publisherId } = usePublisher();
  const refresh = useRefresh();
  const tiers = useTiers(creator.groupId);
  const [base, setBase] = useState(creator);
  const [fields, setFields] = useState(() => fieldsOf(creator));
  const [newer, setNewer] = useState<Creator | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const place = {
    path: { publisherId, memberId: creator.memberId },
    query: { group: creator.groupId },
    throwOnError: true,
  } as const;
  const { errors, check } = useFormErrors({
    name: creator.isOurs ? nameError(fields.name) : null,
    playerId: creator.playerId !== null && fields.playerId.trim() === '' ? t('Enter a player ID.') : null,
  });

  const save = async (over: Creator): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const body = { version: over.version, ...changesFrom(fieldsOf(over), fields) };
      await changeCreator({ ...place, body });
      await refresh();
      announce(t('Saved'));
      onClose();
    } catch (thrown) {
      if (codeOf(thrown) === 'Stale') setNewer((await getCreator(place)).data);
      else setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={t('Edit {name}', { name: creator.name })}>
      <Unsaved values={fields} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (check(event.currentTarget)) void save(base);
        }}
      >
        <Stack>
          <TextInput
            label={t('Name')}
            name="name"
            autoComplete="off"
            required
            maxLength={255}
            disabled={!creator.isOurs}
            description={
              creator.isOurs
                ? undefined
                : t('The creator owns this account, so only they can change the name.')
            }
            value={fields.name}
            error={errors.name}
            data-autofocus={creator.isOurs || undefined}
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
          <TextInput
            label={t('Player ID')}
            name="playerId"
            description={t('The creator’s ID in your game.')}
            required={creator.playerId !== null}
            maxLength={255}
            value={fields.playerId}
            error={errors.playerId}
            onChange={({ currentTarget: { value } }) => change({ playerId: value })}
          />
          <NativeSelect
            label={t('Tier')}
            value={fields.tier}
            data={[
              { value: '', label: t('No tier (group share)') },
              ...(tiers.data?.rows ?? []).map(({ name, revShare }) => ({
                value: name,
                label: `${name} · ${revShare} %`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => change({ tier: value })}
          />
          <Checkbox
            label={t('Show in the creator list that games read')}
            checked={fields.isVisible}
            onChange={({ currentTarget: { checked } }) => change({ isVisible: checked })}
          />
          {error !== null && <ErrorNotice error={error} />}
          {newer === null ? (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('Save')}
              </Button>
            </Group>
          ) : (
            <StaleEdit
              there={fieldsOf(newer)}
              mine={fields}
              isBusy={isBusy}
              onTakeTheirs={() => {
                setBase(newer);
                setFields(fieldsOf(newer));
                setNewer(null);
              }}
              onSaveMine={() => {
                setBase(newer);
                setNewer(null);
                void save(newer);
              }}
            />
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

function changesFrom(before: Fields, after: Fields) {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.playerId !== before.playerId && after.playerId !== '' && { playerId: after.playerId }),
    ...(after.tier !== before.tier && { tier: after.tier || null }),
    ...(after.isVisible !== before.isVisible && { visible: after.isVisible }),
  };
}

interface StaleEditProps {
  there: Fields;
  mine: Fields;
  isBusy: boolean;
  onTakeTheirs(): void;
  onSaveMine(): void;
}

function StaleEdit({ there, mine, isBusy, onTakeTheirs, onSaveMine }: StaleEditProps) {
  const shown = (fields: Fields): [string, string][] => [
    [t('Name'), fields.name],
    [t('Player ID'), fields.playerId || unknown],
    [t('Tier'), fields.tier || unknown],
    [t('Shown in the creator list'), fields.isVisible ? t('yes') : t('no')],
  ];
  const mineShown = shown(mine);
  const rows = shown(there)
    .map(([name, value], index) => ({ name, value, yours: mineShown[index]?.[1] ?? '' }))
    .filter(({ value, yours }) => value !== yours);
  return (
    <Alert color="yellow" title={t('Someone else changed this creator first')}>
      <Stack gap="xs">
        {rows.length === 0 ? (
          <Text size="sm">{t('Your values match the saved ones, but other values have changed.')}</Text>
        ) : (
          <Table aria-label={t('Changed values')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Field')}</Table.Th>
                <Table.Th>{t('Saved')}</Table.Th>
                <Table.Th>{t('Yours')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ name, value, yours }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  <Table.Td>{value}</Table.Td>
                  <Table.Td>{yours}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="xs" onClick={onTakeTheirs}>
            {t('Use saved values')}
          </Button>
          <Button size="xs" loading={isBusy} onClick={onSaveMine}>
            {t('Save my changes')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
