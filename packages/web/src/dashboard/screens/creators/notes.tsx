import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addNoteToCreator,
  editNoteOnCreator,
  listNotesOfCreator,
  removeNoteFromCreator,
  restoreNoteOnCreator,
} from '../../../client/sdk.gen.ts';
import type { Creator, CreatorNote } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import classes from './creators.module.css';

const maxLength = 2_000;
/** Number of notes shown at first, so that the codes stay in view. */
const shownAtFirst = 3;

interface NotesProps {
  creator: Pick<Creator, 'memberId' | 'name'>;
}

/** Notes on a creator, newest first. */
export function Notes({ creator }: NotesProps) {
  const { publisherId, may } = usePublisher();
  const [isAdding, setAdding] = useState(false);
  const [isLong, setLong] = useState(false);
  const path = { publisherId, memberId: creator.memberId };
  const pages = useInfiniteQuery({
    queryKey: [{ _id: 'listNotesOfCreator' }, path],
    queryFn: async ({ pageParam }) =>
      (
        await listNotesOfCreator({
          path,
          query: pageParam === null ? {} : { cursor: pageParam },
          throwOnError: true,
        })
      ).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (pages.data === undefined)
    return pages.error === null ? (
      <LateSkeleton lines={2} />
    ) : (
      <ErrorNotice
        error={pages.error}
        title={t('Couldn’t load the notes')}
        onRetry={() => void pages.refetch()}
      />
    );
  const notes = pages.data.pages.flatMap(({ rows }) => rows);
  const hidden = isLong ? 0 : Math.max(0, notes.length - shownAtFirst);
  return (
    <Stack gap="xs">
      {may('notes') &&
        (isAdding ? (
          <NewNote creator={creator} onClose={() => setAdding(false)} />
        ) : (
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setAdding(true)}
            >
              {t('Add note')}
            </Button>
            {notes.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('No notes yet. Only your team sees them.')}
              </Text>
            )}
          </Group>
        ))}
      {notes.length === 0 && !may('notes') && (
        <Text size="sm" c="dimmed">
          {t('No notes yet.')}
        </Text>
      )}
      {notes.slice(0, notes.length - hidden).map((note) => (
        <Note key={note.noteId} creator={creator} note={note} />
      ))}
      {(hidden > 0 || pages.hasNextPage) && (
        <Group>
          <Button
            variant="default"
            size="xs"
            loading={pages.isFetchingNextPage}
            onClick={() => (hidden > 0 ? setLong(true) : void pages.fetchNextPage())}
          >
            {t('Show older notes')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Note({ creator, note }: NotesProps & { note: CreatorNote }) {
  const { may } = usePublisher();
  const [isEditing, setEditing] = useState(false);
  const { remove, error } = useRemoval(creator, note);
  const mayEdit = may('notes') && note.isOwn;
  const mayRemove = may('notes') && (note.isOwn || may('members'));
  if (isEditing) return <EditNote creator={creator} note={note} onClose={() => setEditing(false)} />;
  const by = note.author.name;
  return (
    <div className={classes.note}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mih={28}>
        <Text size="sm" c="dimmed">
          {by} · <When at={note.createdAt} />
          {note.editedAt !== null && ` · ${t('edited')}`}
        </Text>
        <Group gap={0} wrap="nowrap">
          {mayEdit && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('Edit the note by {by}', { by })}
              onClick={() => setEditing(true)}
            >
              <Icon name="edit" size={14} />
            </ActionIcon>
          )}
          {mayRemove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('Remove the note by {by}', { by })}
              onClick={() => void remove()}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {note.text === null ? (
        <Text size="sm" c="dimmed">
          {t('Your role can’t see notes because they may name buyers.')}
        </Text>
      ) : (
        <Text size="sm" className={classes.noteText}>
          {note.text}
        </Text>
      )}
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t save the note')} />}
    </div>
  );
}

function useReload(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => refresh(client, 'listNotesOfCreator');
}

function useRemoval({ memberId, name }: NotesProps['creator'], { noteId }: CreatorNote) {
  const { publisherId } = usePublisher();
  const reload = useReload();
  const [error, setError] = useState<unknown>(null);
  const at = { path: { publisherId, memberId, noteId }, throwOnError: true } as const;
  return {
    error,
    async remove(): Promise<void> {
      setError(null);
      try {
        await removeNoteFromCreator(at);
        toast(t('Note on {name} removed', { name }), async () => {
          await restoreNoteOnCreator(at);
          return t('Note on {name} restored', { name });
        });
        await reload();
      } catch (thrown) {
        setError(thrown);
      }
    },
  };
}

const textError = (text: string): string | null => (text.trim() === '' ? t('Note is required.') : null);

function NewNote({ creator: { memberId, name }, onClose }: NotesProps & { onClose(): void }) {
  const { publisherId } = usePublisher();
  const reload = useReload();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { errors, check } = useFormErrors({ text: textError(text) });
  useUnsaved(text);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const path = { publisherId, memberId };
      const { data } = await addNoteToCreator({ path, body: { text }, throwOnError: true });
      toast(t('Note on {name} added', { name }), async () => {
        await removeNoteFromCreator({ path: { ...path, noteId: data.noteId }, throwOnError: true });
        return t('Note on {name} removed', { name });
      });
      await reload();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget) && !isBusy) void save();
      }}
    >
      <Stack gap="xs">
        <NoteField label={t('New note')} value={text} error={errors.text} onChange={setText} />
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t save the note')} />}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isBusy}>
            {t('Add note')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function EditNote({ creator, note, onClose }: NotesProps & { note: CreatorNote; onClose(): void }) {
  const { publisherId } = usePublisher();
  const reload = useReload();
  const path = { publisherId, memberId: creator.memberId };
  const at = { path: { ...path, noteId: note.noteId }, throwOnError: true } as const;
  const edit = useVersionedEdit({
    thing: note,
    fieldsOf: (saved) => ({ text: saved.text ?? '' }),
    describe: ({ text }) => [[t('Note'), text.trim()]],
    read: ({ text }) => text.trim() || null,
    save: async (text, { version }) => (await editNoteOnCreator({ ...at, body: { version, text } })).data,
    async readAgain() {
      const { data } = await listNotesOfCreator({ path, throwOnError: true });
      return data.rows.find(({ noteId }) => noteId === note.noteId);
    },
    async onSaved(_saved, undo) {
      toast(t('Note on {name} changed', creator), undo);
      await reload();
      onClose();
    },
  });
  const { text } = edit.fields;
  const { errors, check } = useFormErrors({ text: textError(text) });
  return (
    <VersionedForm edit={edit} check={check}>
      <NoteField
        label={t('Edit note')}
        value={text}
        error={errors.text}
        onChange={(typed) => edit.change({ text: typed })}
      />
      <Group gap="xs">
        <SaveButton edit={edit} />
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </Group>
    </VersionedForm>
  );
}

interface NoteFieldProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

const NoteField = ({ onChange, value, ...rest }: NoteFieldProps) => (
  <Textarea
    {...rest}
    name="text"
    description={t('Only your team sees notes.')}
    autosize
    minRows={2}
    maxRows={10}
    maxLength={maxLength}
    value={value}
    autoFocus
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
