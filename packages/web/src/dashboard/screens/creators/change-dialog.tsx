import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { approveCreators, removeCreators, setTierOfCreators } from '../../../client/sdk.gen.ts';
import type { CreatorOutcome } from '../../../client/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { Unsaved } from '../../../ui/unsaved.tsx';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { usePublisher } from '../../session/session.ts';
import { useRefresh, useTiers } from './use-creators.ts';

export type Kind = 'approve' | 'remove' | 'tier';

/** Creators to change, from selected rows or pasted codes. */
export interface Chosen {
  members: readonly { memberId: string; groupId: string; name: string }[];
  codes: readonly string[];
  /** Group whose tiers are offered and in which codes are looked up. */
  groupId: string | undefined;
}

interface ChangeDialogProps {
  kind: Kind | null;
  chosen: Chosen;
  onClose(): void;
  /** Receives the outcome for each creator, in the given order. */
  onDone(kind: Kind, outcomes: readonly CreatorOutcome[]): void;
}

/** Asks for confirmation before approving or removing creators, or changing their tier. */
export function ChangeDialog({ kind, chosen, onClose, onDone }: ChangeDialogProps) {
  const { publisherId } = usePublisher();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const [tier, setTier] = useState('');
  const tiers = useTiers(kind === 'tier' ? chosen.groupId : undefined);
  const { errors, check, reset } = useFormErrors({
    reason: kind === 'remove' && reason.trim() === '' ? t('Enter a reason.') : null,
  });
  const count = chosen.members.length + chosen.codes.length;
  const confirm = async (): Promise<void> => {
    if (kind === null) return;
    const body = {
      members: chosen.members.map(({ memberId, groupId }) => ({ memberId, groupId })),
      codes: [...chosen.codes],
    };
    const sent = {
      path: { publisherId },
      query: { ...(chosen.groupId !== undefined && { group: chosen.groupId }) },
      throwOnError: true,
    } as const;
    const { data } =
      kind === 'approve'
        ? await approveCreators({ ...sent, body })
        : kind === 'remove'
          ? await removeCreators({ ...sent, body: { ...body, reason: reason.trim() } })
          : await setTierOfCreators({ ...sent, body: { ...body, tier: tier || null } });
    await refresh();
    announce(
      t('{done} of {count} done', {
        done: data.outcomes.filter(({ outcome }) => outcome !== 'refused').length,
        count,
      }),
    );
    onDone(kind, data.outcomes);
  };
  const close = (): void => {
    setReason('');
    setTier('');
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
      isDangerous={kind === 'remove'}
    >
      <Stack gap="sm">
        <Unsaved values={{ reason, tier }} />
        <Text size="sm">{kind !== null && consequenceOf(kind)}</Text>
        <Text size="sm" c="dimmed">
          {namesOf(chosen)}
        </Text>
        {kind === 'remove' && (
          <TextInput
            label={t('Reason')}
            name="reason"
            description={t('Stored with the creator and sent to your webhook endpoints.')}
            required
            maxLength={255}
            value={reason}
            error={errors.reason}
            data-autofocus
            onChange={({ currentTarget: { value } }) => setReason(value)}
          />
        )}
        {kind === 'tier' && (
          <NativeSelect
            label={t('Tier')}
            data-autofocus
            value={tier}
            data={[
              { value: '', label: t('No tier (group share)') },
              ...(tiers.data?.rows ?? []).map(({ name, revShare }) => ({
                value: name,
                label: `${name} · ${revShare} %`,
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
    approve: t('Approve {count, plural, one {# creator} other {# creators}}?', { count }),
    remove: t('Remove {count, plural, one {# creator} other {# creators}}?', { count }),
    tier: t('Set the tier of {count, plural, one {# creator} other {# creators}}?', { count }),
  })[kind];

export const actionOf = (kind: Kind): string =>
  ({ approve: t('Approve'), remove: t('Remove'), tier: t('Set tier') })[kind];

const consequenceOf = (kind: Kind): string =>
  ({
    approve: t('Their codes start crediting purchases. A webhook event is sent for each creator.'),
    remove: t('Their codes stop crediting purchases. They keep their earnings and will still be paid.'),
    tier: t('The tier sets the share of new purchases. Recorded purchases keep their share.'),
  })[kind];

const namesShown = 5;

function namesOf({ members, codes }: Chosen): string {
  const names = [...members.map(({ name }) => name), ...codes];
  const more = names.length - namesShown;
  const shown = names.slice(0, namesShown).join(', ');
  return more > 0 ? t('{shown} and {more} more', { shown, more }) : shown;
}
