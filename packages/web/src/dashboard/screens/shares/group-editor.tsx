import { Checkbox, Stack, TextInput } from '@mantine/core';
import { listCreatorGroups, putCreatorGroup } from '../../../client/sdk.gen.ts';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { t } from '../../../ui/text.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { usePublisher } from '../../session/session.ts';
import { savedWords } from './saved-words.ts';
import { ShareEditor, useShareChanged } from './share-editor.tsx';
import { describeShare, readShare, ShareInput, shareText } from './share-input.tsx';

/** Proposes an ID for a name: `Mobile Creators` becomes `mobile-creators`. Empty for a name without Latin letters. */
const idFor = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

interface GroupEditorProps {
  /** Group to edit; null for a new one. */
  group: CreatorGroup | null;
  /** True for the publisher's first group, which is suggested as the default group. */
  isFirst?: boolean;
  onDone(): void;
  /** Closes the form of a new group without creating it. */
  onCancel?: () => void;
}

export function GroupEditor({ group, isFirst = false, onDone, onCancel }: GroupEditorProps) {
  const { publisherId, may } = usePublisher();
  const changed = useShareChanged('listCreatorGroups');
  const edit = useVersionedEdit({
    thing: group,
    fieldsOf: (saved) => ({
      id: saved?.groupId ?? '',
      name: saved?.name ?? '',
      share: shareText(saved?.revShare),
      isDefault: saved?.isDefault ?? isFirst,
    }),
    describe: ({ name, share, isDefault }) => [
      [t('Name'), name.trim()],
      [t('Share'), describeShare(share)],
      [t('Default group'), isDefault ? t('yes') : t('no')],
    ],
    read({ id, name, share, isDefault }) {
      const revShare = readShare(share);
      const isNamed = idPattern.test(id.trim()) && name.trim() !== '';
      return isNamed && revShare !== null
        ? { groupId: id.trim(), name: name.trim(), revShare, isDefault }
        : null;
    },
    async save({ groupId, isDefault, ...terms }, over) {
      const { data } = await putCreatorGroup({
        path: { publisherId, groupId },
        body: {
          version: over?.version ?? null,
          ...terms,
          ...(isDefault && over?.isDefault !== true && { isDefault }),
        },
        throwOnError: true,
      });
      return data;
    },
    async readAgain() {
      const { data } = await listCreatorGroups({ path: { publisherId }, throwOnError: true });
      return data.rows.find(({ groupId }) => groupId === group?.groupId);
    },
    async onSaved(saved, undo) {
      // The default can't be turned off here, only moved to another group.
      await changed(savedWords('group', group, saved), group?.isDefault === saved.isDefault ? undo : null);
      onDone();
      showRow(saved.groupId);
    },
  });
  const { fields, base, change } = edit;
  const isNew = group === null;
  const isOff = !may('program');
  // The ID follows the name until another one is typed.
  const hasOwnId = !isNew || fields.id !== idFor(fields.name);
  return (
    <ShareEditor edit={edit} create={isNew && t('Create group')} onCancel={onCancel}>
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          value={fields.name}
          maxLength={255}
          required={isNew}
          disabled={isOff}
          data-autofocus={isNew || undefined}
          onChange={({ currentTarget: { value } }) =>
            change({ name: value, ...(!hasOwnId && { id: idFor(value) }) })
          }
        />
        <TextInput
          label={t('ID')}
          description={t('Requests use it as groupId. Letters, digits, _ and -. It can’t be changed later.')}
          value={fields.id}
          maxLength={64}
          required={isNew}
          disabled={isOff || !isNew}
          onChange={({ currentTarget: { value } }) => change({ id: value })}
        />
        <ShareInput
          description={t(
            'What creators earn unless a tier, SKU, or schedule sets another share. Applies to new purchases.',
          )}
          value={fields.share}
          isOff={isOff}
          isRequired={isNew}
          onChange={(share) => change({ share })}
        />
        <Checkbox
          label={t('Default group')}
          description={t(
            'Used when a request doesn’t name a group. To change it, make another group the default.',
          )}
          checked={fields.isDefault}
          disabled={isOff || base?.isDefault === true}
          onChange={({ currentTarget: { checked } }) => change({ isDefault: checked })}
        />
      </Stack>
    </ShareEditor>
  );
}
