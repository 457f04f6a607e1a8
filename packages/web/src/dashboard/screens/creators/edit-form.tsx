import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { changeCreator, getCreator } from '../../../client/sdk.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useFieldErrors } from '../../../ui/use-field-errors.tsx';
import { areValid, nameError } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { useRefresh, useTiers } from './use-creators.ts';

interface Fields {
  name: string;
  playerId: string;
  tier: string;
  isVisible: boolean;
}

interface EditFormProps {
  creator: Creator;
  onClose(): void;
}

const fieldsOf = ({ name, playerId, tier, isVisible }: Creator): Fields => ({
  name,
  playerId: playerId ?? '',
  tier: tier?.name ?? '',
  isVisible,
});

export const EditForm = ({ creator, onClose }: EditFormProps) => (
  <Dialog opened onClose={onClose} title={t('Edit {name}', { name: creator.name })}>
    <Form creator={creator} onClose={onClose} />
  </Dialog>
);

function Form({ creator, onClose }: EditFormProps) {
  const { publisherId } = usePublisher();
  const refresh = useRefresh();
  const tiers = useTiers(creator.groupId);
  const place = {
    path: { publisherId, memberId: creator.memberId },
    query: { group: creator.groupId },
    throwOnError: true,
  } as const;
  const problems = ({ name, playerId }: Fields) => ({
    name: creator.isOurs ? nameError(name) : null,
    playerId: creator.playerId !== null && playerId.trim() === '' ? t('Player ID is required.') : null,
  });
  const edit = useVersionedEdit({
    thing: creator,
    fieldsOf,
    describe: ({ name, playerId, tier, isVisible }) => [
      [t('Name'), name],
      [t('Player ID'), playerId],
      [t('Tier'), tier],
      [t('Shown in the creator list'), isVisible ? t('yes') : t('no')],
    ],
    read: (each) => (areValid(problems(each)) ? each : null),
    save: async (input, over) =>
      (
        await changeCreator({
          ...place,
          body: { version: over.version, ...changesFrom(fieldsOf(over), input) },
        })
      ).data,
    readAgain: async () => (await getCreator(place)).data,
    async onSaved(saved, undo) {
      await refresh();
      toast(wordsOf(creator, saved), mayUndo(creator, saved) ? undo : null);
      onClose();
    },
  });
  const { fields, change } = edit;
  const { errors, check, notice } = useFieldErrors(problems(fields), edit.error);
  return (
    <VersionedForm edit={edit} check={check} notice={notice}>
      <TextInput
        label={t('Name')}
        name="name"
        autoComplete="off"
        required
        maxLength={255}
        disabled={!creator.isOurs}
        description={
          creator.isOurs ? undefined : t('The creator owns this account, so only they can change the name.')
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
            label: `${name} · ${formatPercent(revShare)}`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => change({ tier: value })}
      />
      <Checkbox
        label={t('Show in the creator list that games read')}
        checked={fields.isVisible}
        onChange={({ currentTarget: { checked } }) => change({ isVisible: checked })}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <SaveButton edit={edit} />
      </Group>
    </VersionedForm>
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

/** Names the change if there is only one. */
function wordsOf(before: Creator, { name, tier, isVisible, playerId }: Creator): string {
  const changes = [
    name !== before.name && t('{before} renamed to {name}', { before: before.name, name }),
    tier?.id !== before.tier?.id &&
      (tier === null
        ? t('{name} is no longer in a tier', { name })
        : t('{name} moved to {tier}', { name, tier: tier.name })),
    playerId !== before.playerId && t('{name} now has the player ID {playerId}', { name, playerId }),
    isVisible !== before.isVisible &&
      (isVisible
        ? t('{name} is now in the creator list', { name })
        : t('{name} is no longer in the creator list', { name })),
  ].filter((words) => words !== false);
  const [only] = changes;
  return only !== undefined && changes.length === 1 ? only : t('{name} changed', { name });
}

/** Once a creator has a player ID, it can be replaced but not removed. */
const mayUndo = (before: Creator, after: Creator): boolean =>
  before.playerId === after.playerId || before.playerId !== null;
