import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createPayoutMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { PayoutChange, PayoutPreview, PreviewTotals } from '../../../client/types.gen.ts';
import { ApiFailure } from '../../../ui/api-failure.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { createLabel } from './create-label.ts';
import { TotalTable } from './total-table.tsx';
import { useCreated } from './use-created.ts';
import { WhatHappens, WithoutMethod, withoutMethodIn } from './what-happens.tsx';

interface CreateDialogProps {
  opened: boolean;
  onClose(): void;
  preview: PayoutPreview;
  /** Currencies with an amount due. */
  due: readonly PreviewTotals[];
  /** Called instead of showing an error if the previewed amounts have changed. */
  onChanged(change: PayoutChange): void;
}

/** Shows the totals for confirmation, and creates payouts with exactly the previewed amounts, if nothing changed. */
export function CreateDialog({
  opened,
  onClose,
  preview: { groupId, asOf },
  due,
  onChanged,
}: CreateDialogProps) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const show = useCreated();
  const create = useMutation(createPayoutMutation());
  const confirm = async (): Promise<void> => {
    const created = await create
      .mutateAsync({
        path: { publisherId },
        body: {
          groupId,
          asOf,
          exactly: true,
          ...(query.currency !== undefined && { currency: query.currency }),
        },
      })
      .catch((error: unknown) => {
        const change = changeOf(error);
        if (change === null) throw error;
        onChanged(change);
        return null;
      });
    if (created === null) return;
    await show(created.payouts);
  };
  const payments = due.map(({ due: { memberCount }, ...each }) => ({ ...each, memberCount }));
  const count = Math.max(0, ...due.map((each) => each.due.memberCount));
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={
        due.length === 1
          ? t('Create a payout for {count, plural, one {# creator} other {# creators}}?', { count })
          : t('Create {count, plural, one {# payout} other {# payouts}}, one per currency?', {
              count: due.length,
            })
      }
      action={createLabel(due.length)}
      onConfirm={confirm}
    >
      <Stack gap="xs">
        <TotalTable
          counts={[t('Creators'), t('Purchases')]}
          rows={due.map(({ currency, due: { totalMinor, memberCount }, rowCount }) => ({
            currency,
            totalMinor,
            counts: [memberCount, rowCount],
          }))}
          notInFile={withoutMethodIn(payments)}
        />
        <WithoutMethod
          payments={payments}
          places={[
            {
              name: groupId,
              screen: 'payouts',
              query: { group: groupId, currency: query.currency, asOf, method: 'none' },
            },
          ]}
          onFollow={onClose}
        />
        <WhatHappens asOf={asOf} />
      </Stack>
    </ConfirmDialog>
  );
}

const changeOf = (error: unknown): PayoutChange | null =>
  error instanceof ApiFailure ? ((error.facts.payoutChange as PayoutChange | undefined) ?? null) : null;
