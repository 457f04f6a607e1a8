import { ActionIcon, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  listCreatorTags,
  removeCreatorTag,
  renameCreatorTag,
  restoreCreatorTag,
} from '../../../client/sdk.gen.ts';
import type { CreatorTag } from '../../../client/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { useRefresh } from './use-creators.ts';
import { maxTagLength, tagError, useTags } from './use-tags.ts';

/** Dialog that renames and removes the publisher's tags. */
export const TagsDialog = ({ onClose }: { onClose(): void }) => (
  <Dialog opened onClose={onClose} title={t('Edit tags')}>
    <List />
  </Dialog>
);

const countOf = (count: number): string =>
  t('{count, plural, one {# creator} other {# creators}}', { count });

function useReload(): () => Promise<unknown> {
  const reload = useRefresh();
  const client = useQueryClient();
  return () => Promise.all([reload(), refresh(client, 'listCreatorTags')]);
}

function List() {
  const tags = useTags();
  const [renamed, setRenamed] = useState<string | null>(null);
  const [removed, setRemoved] = useState<CreatorTag | null>(null);
  if (tags.data === undefined)
    return tags.error === null ? (
      <LateSkeleton lines={4} />
    ) : (
      <ErrorNotice
        error={tags.error}
        title={t('Couldn’t load the tags')}
        onRetry={() => void tags.refetch()}
      />
    );
  const { rows } = tags.data;
  return (
    <Stack gap="sm">
      {rows.length === 0 ? (
        <Text size="sm">{t('No tags yet. Tags that you add to creators are listed here.')}</Text>
      ) : (
        <Table aria-label={t('Tags')}>
          <Table.Tbody>
            {rows.map((tag) =>
              renamed === tag.tagId ? (
                <Table.Tr key={tag.tagId}>
                  <Table.Td colSpan={3}>
                    <Rename tag={tag} onClose={() => setRenamed(null)} />
                  </Table.Td>
                </Table.Tr>
              ) : (
                <Table.Tr key={tag.tagId}>
                  <Table.Td>{tag.name}</Table.Td>
                  <Table.Td ta="end">{countOf(tag.creatorCount)}</Table.Td>
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={t('Rename {name}', tag)}
                        onClick={() => setRenamed(tag.tagId)}
                      >
                        <Icon name="edit" size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={t('Remove {name}', tag)}
                        onClick={() => setRemoved(tag)}
                      >
                        <Icon name="trash" size={16} />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        </Table>
      )}
      <Removal tag={removed} onClose={() => setRemoved(null)} />
    </Stack>
  );
}

function Removal({ tag, onClose }: { tag: CreatorTag | null; onClose(): void }) {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const reload = useReload();
  const remove = async ({ tagId }: CreatorTag): Promise<void> => {
    const at = { path: { publisherId, tagId }, throwOnError: true } as const;
    const { data } = await removeCreatorTag(at);
    if (query.tag === tagId) setQuery({ tag: null });
    toast(
      t('Tag {name} removed from {count, plural, one {# creator} other {# creators}}', {
        name: data.name,
        count: data.creatorCount,
      }),
      async () => {
        await restoreCreatorTag(at);
        return t('Tag {name} restored', { name: data.name });
      },
    );
    await reload();
  };
  return (
    <ConfirmDialog
      opened={tag !== null}
      onClose={onClose}
      title={t('Remove the tag {name}?', { name: tag?.name ?? '' })}
      action={t('Remove tag')}
      isDangerous
      onConfirm={async () => tag !== null && remove(tag)}
    >
      {t('{count, plural, one {# creator loses} other {# creators lose}} the tag.', {
        count: tag?.creatorCount ?? 0,
      })}
    </ConfirmDialog>
  );
}

function Rename({ tag, onClose }: { tag: CreatorTag; onClose(): void }) {
  const { publisherId } = usePublisher();
  const reload = useReload();
  const find = (rows: readonly CreatorTag[]) => rows.find(({ tagId }) => tagId === tag.tagId);
  const edit = useVersionedEdit({
    thing: tag,
    fieldsOf: ({ name }) => ({ name }),
    describe: ({ name }) => [[t('Tag'), name.trim()]],
    read: ({ name }) => (tagError(name) === null ? name.trim() : null),
    async save(name, { version }) {
      const { data } = await renameCreatorTag({
        path: { publisherId, tagId: tag.tagId },
        body: { version, name },
        throwOnError: true,
      });
      return find(data.rows) ?? { ...tag, name };
    },
    async readAgain() {
      return find((await listCreatorTags({ path: { publisherId }, throwOnError: true })).data.rows);
    },
    async onSaved({ name, creatorCount: count }, undo) {
      toast(
        t('Tag {before} renamed to {name} for {count, plural, one {# creator} other {# creators}}', {
          before: tag.name,
          name,
          count,
        }),
        undo,
      );
      await reload();
      onClose();
    },
  });
  const { name } = edit.fields;
  const { errors, check } = useFormErrors({ name: tagError(name) });
  return (
    <VersionedForm edit={edit} check={check}>
      <TextInput
        label={t('Name')}
        name="name"
        autoComplete="off"
        maxLength={maxTagLength}
        value={name}
        error={errors.name}
        autoFocus
        onChange={({ currentTarget: { value } }) => edit.change({ name: value })}
      />
      <Group gap="xs">
        <SaveButton edit={edit}>{t('Rename')}</SaveButton>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </Group>
    </VersionedForm>
  );
}
