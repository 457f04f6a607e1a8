import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { approveCreators, removeCreators, setTierOfCreators } from '../../../client/sdk.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { addFromList } from './add-from-list.ts';
import type { NewCreator } from './list-entries.ts';
import type { ShownOutcome } from './shown-outcome.ts';
import { TagField } from './tag-field.tsx';
import { undoTier } from './undo-tier.ts';
import { useRefresh, useTiers } from './use-creators.ts';
import { tagError, useTagging } from './use-tags.ts';

export type Kind = 'add' | 'approve' | 'remove' | 'reject' | 'tier' | 'tag' | 'untag';

/** Creators to change, from selected rows or a pasted list. */
export interface Chosen {
  members: readonly { memberId: string; groupId: string; name: string }[];
  /** Creators to add. */
  added?: readonly NewCreator[];
  /** Sentence about entries of the list that aren't changed; null if there are none. */
  left?: string | null;
  /** Group whose tiers are offered, and to which creators are added. */
  groupId: string | undefined;
}

interface ChangeDialogProps {
  kind: Kind | null;
  chosen: Chosen;
  onClose(): void;
  /** Receives the outcome for each creator, in the given order. */
  onDone(kind: Kind, outcomes: readonly ShownOutcome[]): void;
}

/** Asks for confirmation before adding, approving or removing creators, or changing their tier or tags. */
export function ChangeDialog({ kind, chosen, onClose, onDone }: ChangeDialogProps) {
  const { publisherId } = usePublisher();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const [tier, setTier] = useState('');
  const tiers = useTiers(kind === 'tier' ? chosen.groupId : undefined);
  const [tag, setTag] = useState('');
  const [status, setStatus] = useState<'Approved' | 'Pending'>('Approved');
  const tagging = useTagging();
  const isTagging = kind === 'tag' || kind === 'untag';
  // An applicant who is rejected becomes a removed creator.
  const isRemoving = kind === 'remove' || kind === 'reject';
  const { errors, check, reset } = useFormErrors({
    reason: isRemoving && reason.trim() === '' ? t('Reason is required.') : null,
    tag: isTagging ? tagError(tag) : null,
  });
  const { members, added = [], groupId } = chosen;
  const count = members.length + added.length;
  const [only] = namesOf(chosen);
  const name = count === 1 && only !== undefined ? only : null;
  const sent = { path: { publisherId }, throwOnError: true } as const;
  const run = async (kind: Kind): Promise<readonly ShownOutcome[]> => {
    if (kind === 'tag' || kind === 'untag') return tagging({ members, tag, isTagged: kind === 'tag' }, name);
    const outcomes = await change(kind);
    await refresh();
    const done = outcomes.filter(({ outcome }) => outcome === 'done');
    if (done.length > 0)
      toast(
        wordsOf(kind, { name, count: done.length, tier }),
        kind === 'tier' ? () => undoTier(publisherId, outcomes, tier || null) : null,
      );
    return outcomes;
  };
  const change = async (kind: Changing): Promise<ShownOutcome[]> => {
    const body = { members: members.map(({ memberId, groupId }) => ({ memberId, groupId })) };
    switch (kind) {
      case 'add':
        return addFromList({ publisherId, groupId: groupId ?? '', creators: added, status });
      case 'approve':
        return (await approveCreators({ ...sent, body })).data.outcomes;
      case 'remove':
      case 'reject':
        return (await removeCreators({ ...sent, body: { ...body, reason: reason.trim() } })).data.outcomes;
      case 'tier':
        return (await setTierOfCreators({ ...sent, body: { ...body, tier: tier || null } })).data.outcomes;
    }
  };
  const confirm = async (): Promise<void> => {
    if (kind !== null) onDone(kind, await run(kind));
  };
  const close = (): void => {
    setReason('');
    setTier('');
    setTag('');
    setStatus('Approved');
    reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={kind !== null}
      onClose={close}
      title={kind === null ? '' : titleOf(kind, count)}
      action={kind === null ? '' : actionOf(kind)}
      onConfirm={confirm}
      check={check}
      isDangerous={isRemoving}
    >
      <Stack gap="sm">
        <Unsaved values={{ reason, tier, tag, status }} />
        <Text size="sm">{kind !== null && consequenceOf(kind)}</Text>
        <Text size="sm" c="dimmed">
          {namesShownOf(chosen)}
        </Text>
        {chosen.left && <Text size="sm">{chosen.left}</Text>}
        {kind === 'add' && (
          <NativeSelect
            label={t('Status')}
            data-autofocus
            value={status}
            data={[
              { value: 'Approved', label: t('Approved: their codes credit purchases') },
              { value: 'Pending', label: t('Pending: approve them later') },
            ]}
            onChange={({ currentTarget: { value } }) => setStatus(value as 'Approved' | 'Pending')}
          />
        )}
        {isRemoving && (
          <TextInput
            label={t('Reason')}
            name="reason"
            description={t('Stored with the creator and sent to your webhook endpoints. Applicants see it.')}
            required
            maxLength={255}
            value={reason}
            error={errors.reason}
            data-autofocus
            onChange={({ currentTarget: { value } }) => setReason(value)}
          />
        )}
        {isTagging && <TagField value={tag} error={errors.tag} onChange={setTag} />}
        {kind === 'tier' && (
          <NativeSelect
            label={t('Tier')}
            data-autofocus
            value={tier}
            data={[
              { value: '', label: t('No tier (group share)') },
              ...(tiers.data?.rows ?? []).map(({ name, revShare }) => ({
                value: name,
                label: `${name} · ${formatPercent(revShare)}`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => setTier(value)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

const titleOf = (kind: Kind, count: number): string =>
  ({
    add: t('Add {count, plural, one {# creator} other {# creators}}?', { count }),
    approve: t('Approve {count, plural, one {# creator} other {# creators}}?', { count }),
    remove: t('Remove {count, plural, one {# creator} other {# creators}}?', { count }),
    reject: t('Reject {count, plural, one {# creator} other {# creators}}?', { count }),
    tier: t('Set the tier of {count, plural, one {# creator} other {# creators}}?', { count }),
    tag: t('Add a tag to {count, plural, one {# creator} other {# creators}}?', { count }),
    untag: t('Remove a tag from {count, plural, one {# creator} other {# creators}}?', { count }),
  })[kind];

export const actionOf = (kind: Kind): string =>
  ({
    add: t('Add'),
    approve: t('Approve'),
    remove: t('Remove'),
    reject: t('Reject'),
    tier: t('Set tier'),
    tag: t('Add tag'),
    untag: t('Remove tag'),
  })[kind];

const consequenceOf = (kind: Kind): string =>
  ({
    add: t(
      'Each entry becomes the creator’s name and, if possible, a code in the group. The creators can claim the accounts later.',
    ),
    approve: t('Their codes start crediting purchases. A webhook event is sent for each creator.'),
    remove: t('Their codes stop crediting purchases. They keep their earnings and will still be paid.'),
    reject: t(
      'Their codes won’t credit purchases. They’re listed under Removed, and you can approve them later.',
    ),
    tier: t('The tier sets the share of new purchases. Recorded purchases keep their share.'),
    tag: t('Only your team sees tags. A new name creates a tag.'),
    untag: t('Creators who don’t have the tag stay as they are.'),
  })[kind];

const namesShown = 5;

const namesOf = ({ members, added = [] }: Chosen): string[] => [...members, ...added].map(({ name }) => name);

function namesShownOf(chosen: Chosen): string {
  const names = namesOf(chosen);
  const more = names.length - namesShown;
  const shown = names.slice(0, namesShown).join(', ');
  return more > 0 ? t('{shown} and {more} more', { shown, more }) : shown;
}

interface Done {
  /** Name of a single creator; null for several. */
  name: string | null;
  count: number;
  tier: string;
}

/** Kinds of changes other than of tags. */
type Changing = Exclude<Kind, 'tag' | 'untag'>;

function wordsOf(kind: Changing, { name, count, tier }: Done): string {
  const values = { name: name ?? '', count, tier };
  if (name === null)
    return {
      add: t('{count, plural, one {# creator} other {# creators}} added', values),
      approve: t('{count, plural, one {# creator} other {# creators}} approved', values),
      remove: t('{count, plural, one {# creator} other {# creators}} removed', values),
      reject: t('{count, plural, one {# creator} other {# creators}} rejected', values),
      tier:
        tier === ''
          ? t('{count, plural, one {# creator is} other {# creators are}} no longer in a tier', values)
          : t('{count, plural, one {# creator} other {# creators}} moved to {tier}', values),
    }[kind];
  return {
    add: t('{name} added', values),
    approve: t('{name} approved', values),
    remove: t('{name} removed', values),
    reject: t('{name} rejected', values),
    tier: tier === '' ? t('{name} is no longer in a tier', values) : t('{name} moved to {tier}', values),
  }[kind];
}
