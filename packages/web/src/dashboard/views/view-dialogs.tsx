import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeSharedView,
  changeView,
  chooseDefaultView,
  createSharedView,
  createView,
  listViews,
  removeSharedView,
  removeView,
} from '../../client/sdk.gen.ts';
import type { SavedView } from '../../client/types.gen.ts';
import { codeOf } from '../../ui/api-failure.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import type { Query } from '../../ui/query-string.ts';
import { refresh } from '../../ui/refresh.ts';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { nameError, useFormErrors } from '../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../ui/versioned-form.tsx';
import { usePublisher } from '../session/session.ts';
import { describeQuery } from './describe-view.ts';
import type { ViewDialog, ViewList, Views } from './use-views.ts';

/** Maximum length of a view's name, as on the server. */
const maxName = 80;

interface ViewDialogsProps {
  list: ViewList;
  views: Views;
  dialog: ViewDialog;
  onClose(): void;
}

export function ViewDialogs({ list, views, dialog, onClose }: ViewDialogsProps) {
  const { chosen, shown, show } = views;
  if (dialog === 'save')
    return (
      <Dialog opened onClose={onClose} title={t('Save view')}>
        <SaveForm list={list} shown={shown} onClose={onClose} onSaved={show} />
      </Dialog>
    );
  if (chosen === null) return null;
  if (dialog === 'remove')
    return <RemoveDialog view={chosen} onClose={onClose} onRemoved={() => show(null, 'replace')} />;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={dialog === 'update' ? t('Save changes to {name}', { name: chosen.name }) : t('Rename view')}
    >
      <EditForm
        view={chosen}
        // Renaming keeps the saved filters.
        shown={dialog === 'update' ? shown : null}
        onClose={onClose}
        onSaved={(saved) => dialog === 'update' && show(saved, 'replace')}
      />
    </Dialog>
  );
}

interface SaveFormProps {
  list: ViewList;
  shown: Query;
  onClose(): void;
  onSaved(view: SavedView): void;
}

function SaveForm({ list, shown, onClose, onSaved }: SaveFormProps) {
  const { publisherId, may } = usePublisher();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [isDefault, setDefault] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { errors, check } = useFormErrors({ name: nameError(name) });
  const settle = useUnsaved({ name, isShared, isDefault });
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const path = { publisherId };
      const options = { path, body: { list, name: name.trim(), query: shown }, throwOnError: true } as const;
      const { data } = isShared ? await createSharedView(options) : await createView(options);
      settle();
      if (isDefault)
        await chooseDefaultView({ path, body: { list, viewId: data.viewId }, throwOnError: true });
      await refresh(queryClient, 'listViews');
      toast(t('View {name} saved', { name: data.name }));
      onSaved(data);
      onClose();
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
        if (!isBusy && check(event.currentTarget)) void save();
      }}
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t save the view')} />}
        <TextInput
          name="name"
          label={t('Name')}
          value={name}
          maxLength={maxName}
          error={errors.name}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Text size="sm" c="dimmed">
          {t('Contains:')} {describeQuery(shown)}
        </Text>
        {may('views') && (
          <Checkbox
            label={t('Share with the team')}
            description={t(
              'Everyone who can see this list sees the view. Anyone who can share views can change it.',
            )}
            checked={isShared}
            onChange={({ currentTarget: { checked } }) => setShared(checked)}
          />
        )}
        <Checkbox
          label={t('Open the list with this view')}
          description={t('Only for you.')}
          checked={isDefault}
          onChange={({ currentTarget: { checked } }) => setDefault(checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Save view')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface EditFormProps {
  view: SavedView;
  /** Filters to save; null to keep the view's filters. */
  shown: Query | null;
  onClose(): void;
  onSaved(view: SavedView): void;
}

function EditForm({ view, shown, onClose, onSaved }: EditFormProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const { viewId, list, isShared } = view;
  const edit = useVersionedEdit({
    thing: view,
    fieldsOf: ({ name, query }: SavedView): { name: string; query: Query } => ({ name, query }),
    ...(shown !== null && { proposed: { name: view.name, query: shown } }),
    describe: ({ name, query }) => [
      [t('Name'), name.trim()],
      [t('Contains'), describeQuery(query)],
    ],
    read: ({ name, query }) => (name.trim() === '' ? null : { name: name.trim(), query }),
    async save({ name, query }, { version }) {
      const path = { publisherId, viewId };
      const options = { path, body: { version, name, query }, throwOnError: true } as const;
      return (isShared ? await changeSharedView(options) : await changeView(options)).data;
    },
    async readAgain() {
      const { data } = await listViews({ path: { publisherId }, query: { list }, throwOnError: true });
      return data.views.find((each) => each.viewId === viewId);
    },
    async onSaved(saved, undo) {
      await refresh(queryClient, 'listViews');
      toast(t('View {name} changed', { name: saved.name }), undo);
      onSaved(saved);
      onClose();
    },
  });
  const { name, query } = edit.fields;
  const { errors, check } = useFormErrors({ name: nameError(name) });
  return (
    <VersionedForm edit={edit} check={check}>
      {isShared && <Text size="sm">{t('The whole team sees this change.')}</Text>}
      <TextInput
        name="name"
        label={t('Name')}
        value={name}
        maxLength={maxName}
        error={errors.name}
        data-autofocus
        onChange={({ currentTarget: { value } }) => edit.change({ name: value })}
      />
      <Text size="sm" c="dimmed">
        {t('Contains:')} {describeQuery(query)}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <SaveButton edit={edit} />
      </Group>
    </VersionedForm>
  );
}

interface RemoveDialogProps {
  view: SavedView;
  onClose(): void;
  onRemoved(): void;
}

function RemoveDialog({ view: { viewId, name, isShared, version }, onClose, onRemoved }: RemoveDialogProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Remove {name}?', { name })}
      action={t('Remove view')}
      isDangerous
      onConfirm={async () => {
        const options = { path: { publisherId, viewId }, query: { version }, throwOnError: true } as const;
        try {
          await (isShared ? removeSharedView(options) : removeView(options));
        } catch (error) {
          // Someone else removed it first.
          if (codeOf(error) !== 'NotFound') throw error;
        }
        await refresh(queryClient, 'listViews');
        toast(t('View {name} removed', { name }));
        onRemoved();
      }}
    >
      {isShared
        ? t('The view is removed for the whole team. The rows themselves don’t change.')
        : t('The rows themselves don’t change.')}
    </ConfirmDialog>
  );
}
