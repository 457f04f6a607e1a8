import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { CreatorInList, ListEntry } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { ChangeDialog, type Chosen, type Kind } from './change-dialog.tsx';
import { EntryList } from './entry-list.tsx';
import { asNewCreator, creatorOf, type Picked } from './list-entries.ts';
import type { Outcomes } from './outcome-list.tsx';
import { keyOf } from './use-creators.ts';
import { maxEntries, useLookUp } from './use-look-up.ts';

interface ListDialogProps {
  onClose(): void;
  onDone(result: Outcomes): void;
}

/** Dialog for a pasted list of creators. Shows which creators each entry names, and changes all of them at once. */
export const ListDialog = ({ onClose, onDone }: ListDialogProps) => (
  <Dialog opened onClose={onClose} title={t('Edit many creators')} size="xl">
    <List onDone={onDone} />
  </Dialog>
);

function List({ onDone }: Pick<ListDialogProps, 'onDone'>) {
  const { may } = usePublisher();
  const { query } = useUrlState();
  const { rows: groups } = useGroups();
  const [text, setText] = useState('');
  const [chosenGroup, setGroup] = useState(query.group ?? '');
  const [picked, setPicked] = useState<Picked>({});
  const [kind, setKind] = useState<Kind | null>(null);
  const only = groups.length === 1 ? groups[0]?.groupId : undefined;
  const groupId = chosenGroup === '' ? only : chosenGroup;
  const { data, error, refetch, isCurrent, isTooLong } = useLookUp(text, groupId);
  const entries = data?.entries ?? [];
  const creators = entries.flatMap((entry) => creatorOf(entry, picked) ?? []);
  const actions = actionsFor({ entries, creators, groupId, may });
  const chosen = actions.find((action) => action.kind === kind)?.chosen;
  const hints = isCurrent
    ? actions.flatMap(({ hint, chosen }) => (hint === undefined || countOf(chosen) === 0 ? [] : [hint]))
    : [];
  return (
    <Stack>
      <Unsaved values={{ text }} />
      {groups.length > 1 && (
        <NativeSelect
          label={t('Group')}
          w={280}
          maw="100%"
          value={chosenGroup}
          data={[
            { value: '', label: t('All groups') },
            ...groups.map(({ groupId, name }) => ({ value: groupId, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            setGroup(value);
            setPicked({});
          }}
        />
      )}
      <Textarea
        label={t('Codes, IDs, or names')}
        description={t(
          'Paste up to {maxEntries, number} codes, IDs, or names, separated by new lines, commas, semicolons, or tabs. Then choose what to change.',
          { maxEntries },
        )}
        placeholder={'EMBER\nacc_juno\nFalcon'}
        value={text}
        autosize
        minRows={4}
        maxRows={8}
        data-autofocus
        spellCheck={false}
        error={isTooLong ? t('The text is too long. Paste it in smaller pieces.') : undefined}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setPicked({});
        }}
      />
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the creators')} onRetry={() => void refetch()} />
      )}
      {data !== undefined && data.cellCount > maxEntries && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t(
            'The list has {count, number} entries. Only the first {maxEntries, number} are used. Paste the others afterward.',
            { count: data.cellCount, maxEntries },
          )}
        </Text>
      )}
      <EntryList entries={entries} picked={picked} isCurrent={isCurrent} onPick={setPicked} />
      <Group justify="flex-end" gap="xs">
        {hints.length > 0 && (
          <Text size="sm" c="dimmed">
            {hints.join(' ')}
          </Text>
        )}
        {actions.map(({ kind, label, chosen, hint }) => (
          <Button
            key={kind}
            variant={kind === 'approve' ? 'filled' : 'default'}
            disabled={!isCurrent || countOf(chosen) === 0 || hint !== undefined}
            onClick={() => setKind(kind)}
          >
            {label}
          </Button>
        ))}
      </Group>
      <ChangeDialog
        kind={kind}
        chosen={chosen ?? { members: [], groupId }}
        onClose={() => setKind(null)}
        onDone={(done, outcomes) =>
          onDone({
            kind: done,
            outcomes,
            names: new Map(creators.map(({ memberId, name }) => [memberId, name])),
          })
        }
      />
    </Stack>
  );
}

const countOf = ({ members, added = [] }: Chosen): number => members.length + added.length;

interface Action {
  kind: Kind;
  label: string;
  chosen: Chosen;
  /** Reason why the action isn't possible; absent if it is. */
  hint?: string;
}

interface Situation {
  entries: readonly ListEntry[];
  creators: readonly CreatorInList[];
  groupId: string | undefined;
  may(permission: string): boolean;
}

/** Returns the actions that the role permits, each with the creators that it would change. */
function actionsFor({ entries, creators, groupId, may }: Situation): Action[] {
  const unapproved = creators.filter(({ status }) => status !== 'Approved');
  const present = creators.filter(({ status }) => status !== 'Removed');
  const added = entries.flatMap((entry) => asNewCreator(entry) ?? []);
  const groups = new Set(present.map((creator) => creator.groupId));
  const onlyGroup = groups.size === 1 ? [...groups][0] : groupId;
  const open = entries.filter(({ state }) => state !== 'doubled').length - creators.length;
  const chosen = (members: readonly CreatorInList[], left: string | null): Chosen => ({
    members: [...new Map(members.map((each) => [keyOf(each), each])).values()],
    groupId: onlyGroup,
    left: [left, open > 0 ? leftOpen(open) : null].filter((each) => each !== null).join(' ') || null,
  });
  const removed = creators.length - present.length;
  const approved = creators.length - unapproved.length;
  const leftApproved =
    approved === 0
      ? null
      : t('{count, plural, one {# creator is} other {# creators are}} already approved.', {
          count: approved,
        });
  const leftRemoved =
    removed === 0
      ? null
      : t('{count, plural, one {# removed creator is} other {# removed creators are}} left out.', {
          count: removed,
        });
  const actions: Action[] = [];
  if (may('members'))
    actions.push(
      {
        kind: 'add',
        label: t('Add {count, number}', { count: added.length }),
        chosen: { members: [], added, groupId },
        ...(groupId === undefined && { hint: t('To add creators, choose a group.') }),
      },
      {
        kind: 'remove',
        label: t('Remove {count, number}', { count: present.length }),
        chosen: chosen(present, leftRemoved),
      },
      {
        kind: 'tier',
        label: t('Set tier for {count, number}', { count: present.length }),
        chosen: chosen(present, leftRemoved),
        ...(groups.size > 1 && { hint: t('To set a tier, choose a group.') }),
      },
    );
  if (may('notes'))
    actions.push(
      {
        kind: 'untag',
        label: t('Remove tag from {count, number}', { count: creators.length }),
        chosen: chosen(creators, null),
      },
      {
        kind: 'tag',
        label: t('Add tag to {count, number}', { count: creators.length }),
        chosen: chosen(creators, null),
      },
    );
  if (may('approve'))
    actions.push({
      kind: 'approve',
      label: t('Approve {count, number}', { count: unapproved.length }),
      chosen: chosen(unapproved, leftApproved),
    });
  return actions;
}

const leftOpen = (count: number): string =>
  t('{count, plural, one {# entry without a creator is} other {# entries without a creator are}} left out.', {
    count,
  });
