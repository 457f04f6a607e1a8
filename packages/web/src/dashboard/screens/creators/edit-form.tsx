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
import { lackOfName, useComplete } from '../../../ui/use-complete.ts';
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

/** Changes what is said of a creator. When somebody was faster, both are shown, and nothing that was typed is lost. */
export function EditForm({ creator, onClose }: { creator: Creator; onClose(): void }) {
  const { publisherId } = usePublisher();
  const refresh = useRefresh();
  const tiers = useTiers(creator.groupId);
  const [seen, setSeen] = useState(creator);
  const [fields, setFields] = useState(() => fieldsOf(creator));
  const [overtaken, setOvertaken] = useState<Creator | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const said = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const place = {
    path: { publisherId, memberId: creator.memberId },
    query: { group: creator.groupId },
    throwOnError: true,
  } as const;
  const { errors, check } = useComplete({
    name: creator.isOurs ? lackOfName(fields.name) : null,
    playerId: creator.playerId !== null && fields.playerId.trim() === '' ? t('Enter a player id.') : null,
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
      const { data } = await getCreator(place).catch(() => ({ data: null }));
      // A code or a player id that another creator has is a conflict as well; then this one is as it was.
      if (codeOf(thrown) === 'Conflict' && data !== null && data.version !== over.version) setOvertaken(data);
      else setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={t('Change {name}', { name: creator.name })}>
      <Unsaved values={fields} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (check(event.currentTarget)) void save(seen);
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
              creator.isOurs ? undefined : t('It is their own account: the name is theirs to change.')
            }
            value={fields.name}
            error={errors.name}
            data-autofocus={creator.isOurs || undefined}
            onChange={({ currentTarget: { value } }) => said({ name: value })}
          />
          <TextInput
            label={t('Player id')}
            name="playerId"
            description={t('How your game knows the creator.')}
            required={creator.playerId !== null}
            maxLength={255}
            value={fields.playerId}
            error={errors.playerId}
            onChange={({ currentTarget: { value } }) => said({ playerId: value })}
          />
          <NativeSelect
            label={t('Tier')}
            value={fields.tier}
            data={[
              { value: '', label: t('No tier: the group’s own share') },
              ...(tiers.data?.rows ?? []).map(({ name, revShare }) => ({
                value: name,
                label: `${name} · ${revShare} %`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => said({ tier: value })}
          />
          <Checkbox
            label={t('Shown in the list that games read')}
            checked={fields.isVisible}
            onChange={({ currentTarget: { checked } }) => said({ isVisible: checked })}
          />
          {error !== null && <ErrorNotice error={error} />}
          {overtaken === null ? (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('Leave it')}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('Save')}
              </Button>
            </Group>
          ) : (
            <Overtaken
              there={fieldsOf(overtaken)}
              mine={fields}
              isBusy={isBusy}
              onTakeTheirs={() => {
                setSeen(overtaken);
                setFields(fieldsOf(overtaken));
                setOvertaken(null);
              }}
              onSaveMine={() => {
                setSeen(overtaken);
                setOvertaken(null);
                void save(overtaken);
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

interface OvertakenProps {
  there: Fields;
  mine: Fields;
  isBusy: boolean;
  onTakeTheirs(): void;
  onSaveMine(): void;
}

function Overtaken({ there, mine, isBusy, onTakeTheirs, onSaveMine }: OvertakenProps) {
  const shown = (fields: Fields): [string, string][] => [
    [t('Name'), fields.name],
    [t('Player id'), fields.playerId || unknown],
    [t('Tier'), fields.tier || unknown],
    [t('Shown in lists'), fields.isVisible ? t('yes') : t('no')],
  ];
  const mineShown = shown(mine);
  const rows = shown(there)
    .map(([name, value], index) => ({ name, value, yours: mineShown[index]?.[1] ?? '' }))
    .filter(({ value, yours }) => value !== yours);
  return (
    <Alert color="yellow" title={t('Somebody else changed this creator meanwhile')}>
      <Stack gap="xs">
        {rows.length === 0 ? (
          <Text size="sm">{t('What you typed is what is there now; something else is different.')}</Text>
        ) : (
          <Table aria-label={t('What is different')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('What')}</Table.Th>
                <Table.Th>{t('There now')}</Table.Th>
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
            {t('Go on from what is there')}
          </Button>
          <Button size="xs" loading={isBusy} onClick={onSaveMine}>
            {t('Save mine over it')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
