import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getPayoutOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout, PayoutItem, PayoutWithItems } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { CreatorCell } from '../../creator-cell.tsx';
import { FigureLink } from '../../figure-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { FilesMenu } from './files-menu.tsx';
import { lineResults, ResultCell } from './line-results.tsx';
import { PayDialog } from './pay-dialog.tsx';
import { PaymentFileCell } from './payment-file-cell.tsx';
import { PaymentFiles } from './payment-files.tsx';
import { PayoutFacts } from './payout-facts.tsx';
import { PayoutLines } from './payout-lines.tsx';
import { isUnderWay } from './payout-status.tsx';
import { PayoutSteps } from './payout-steps.tsx';
import { PayoutReductions } from './reductions.tsx';

export function PayoutPage({ payoutId }: { payoutId: string }) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const asked = useQuery({
    ...getPayoutOptions({
      path: { publisherId, payoutId },
      query: {
        reference: query.reference,
        result: [...lineResults, 'None' as const].find((each) => each === query.result),
        withoutFile: query.file === 'none' ? true : undefined,
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data.payout) ? 1_000 : false,
  });
  const { data, error } = asked;
  const actions = useActions(data);
  if (data === undefined)
    return (
      <ScreenPage isOfOneThing title={t('Payout')} about={<PayoutSteps payoutId={payoutId} />}>
        {error === null ? (
          <FactsSkeleton />
        ) : (
          <ErrorNotice
            error={error}
            title={t('Couldn’t load the payout')}
            missing={t('Payout not found')}
            onRetry={() => void asked.refetch()}
          />
        )}
      </ScreenPage>
    );
  const { payout, needsAnother, payRunId, items, nextCursor } = data;
  const page = { ...asked, data: { rows: items, nextCursor } };
  return (
    <ScreenPage
      isOfOneThing
      title={t('Payout {number}', { number: String(payout.number) })}
      about={<PayoutSteps payoutId={payoutId} />}
      exports={actions?.exports}
      moreActions={actions?.rare ?? []}
      mainAction={actions?.main}
    >
      {actions?.dialogs}
      <Stack gap="lg">
        <UnderWay payout={payout} />
        {needsAnother && payout.status === 'Created' && (
          <Alert color="accent" title={t('A second person must mark this payout as paid')}>
            {t(
              'You created this payout, and a second person is required. Send a colleague the link to this page.',
            )}
          </Alert>
        )}
        <PayoutFacts payout={payout} payRunId={payRunId} />
        <PaymentFiles payout={payout} />
        <PayoutReductions payout={payout} />
        <PayoutLines
          data={data}
          columns={itemColumns(payout)}
          page={page}
          empty={
            query.reference === undefined && query.result === undefined && query.file === undefined ? (
              <EmptyState icon="payouts" title={t('No creators in this payout')}>
                {isUnderWay(payout)
                  ? t('Creators appear as they are added.')
                  : t('The payout was rolled back before it was complete.')}
              </EmptyState>
            ) : (
              <EmptyState
                icon="payouts"
                title={t('No matching payments in this payout')}
                action={<ClearFilters names={['reference', 'result', 'file']} />}
              >
                {t('References of this payout start with {number}.', { number: String(payout.number) })}
              </EmptyState>
            )
          }
        />
      </Stack>
    </ScreenPage>
  );
}

/** Actions of a payout's page, for its layout. Canceling is apart from the files, behind More. */
function useActions(data: PayoutWithItems | undefined) {
  const { may } = usePublisher();
  const [openDialog, setOpenDialog] = useState<'pay' | 'cancel' | null>(null);
  const [hasSaved, setSaved] = useState(false);
  const isNarrow = useNarrow();
  if (data === undefined) return null;
  const { payout, needsAnother, isExported } = data;
  const { payoutId, status } = payout;
  const close = (): void => setOpenDialog(null);
  // Paying comes before marking as paid, which can't be undone.
  const isToSave = may('export') && status === 'Created' && !isExported && !hasSaved;
  const files = may('export') && status !== 'Preparing' && (
    <FilesMenu
      key="files"
      payout={payout}
      isMain={isToSave}
      isShort={isNarrow && !isToSave}
      onSaved={() => setSaved(true)}
    />
  );
  const markAsPaid = may('payouts') && status === 'Created' && (
    <Button
      key="pay"
      variant={isToSave ? 'default' : 'filled'}
      disabled={needsAnother}
      title={needsAnother ? t('You created this payout, so a second person must mark it as paid') : undefined}
      onClick={() => setOpenDialog('pay')}
    >
      {t('Mark as paid')}
    </Button>
  );
  // A phone's bar has the next step and the files, which it keeps when nothing is left to do.
  const isFileFirst = isToSave || (isNarrow && markAsPaid === false);
  const hasBoth = isNarrow && !isFileFirst && files !== false;
  return {
    exports: !isNarrow && (isToSave ? markAsPaid : files),
    rare: [
      isNarrow && isToSave && markAsPaid,
      <CopyButton key="id" value={payoutId} label={t('Copy payout ID')} withLabel />,
      may('payouts') && (status === 'Created' || status === 'Preparing') && (
        <Button key="cancel" variant="default" color="red" onClick={() => setOpenDialog('cancel')}>
          {t('Cancel payout')}
        </Button>
      ),
    ],
    main: isFileFirst ? files : hasBoth ? [files, markAsPaid] : markAsPaid,
    dialogs: (
      <>
        <LinkedActions onPay={() => status === 'Created' && !needsAnother && setOpenDialog('pay')} />
        <PayDialog opened={openDialog === 'pay'} onClose={close} payout={payout} />
        <CancelDialog opened={openDialog === 'cancel'} onClose={close} payout={payout} />
      </>
    ),
  };
}

/** Starts the action that a link named, once the payout is loaded. */
function LinkedActions({ onPay }: { onPay(): void }) {
  useLinkedAction('pay', onPay);
  useLinkedAction('export', () => document.querySelector<HTMLElement>('[data-export]')?.focus());
  return null;
}

function UnderWay({ payout: { status, memberCount, plannedCount, wasUndone } }: { payout: Payout }) {
  if (wasUndone)
    return (
      <Alert color="yellow" title={t('This payout was rolled back')}>
        {t(
          'It was stopped before it was complete. Nothing was paid, and a new payout can include the purchases.',
        )}
      </Alert>
    );
  if (status === 'Cancelling')
    return (
      <Alert color="accent" title={t('Canceling')}>
        {t('The purchases are being released. You can leave this page.')}
      </Alert>
    );
  if (status !== 'Preparing') return null;
  const percent = plannedCount ? Math.floor((100 * memberCount) / plannedCount) : 0;
  const progress = t('{done} of {all} creators', {
    done: formatCount(memberCount),
    all: plannedCount === null ? '–' : formatCount(plannedCount),
  });
  return (
    <Alert color="accent" title={t('Preparing')}>
      <Group gap="sm">
        <Progress value={percent} flex={1} aria-label={t('Payout progress')} />
        <Text size="sm">{progress}</Text>
      </Group>
      <Text size="sm">{t('It continues in the background. You can leave this page.')}</Text>
    </Alert>
  );
}

const itemColumns = ({ payoutId, currency, groupId, status }: Payout): Column<PayoutItem>[] => [
  {
    id: 'name',
    header: t('Creator'),
    tone: 'strong',
    isCut: true,
    cell: (item) => <CreatorCell creator={item} groupId={groupId} />,
  },
  {
    id: 'reference',
    header: t('Reference'),
    tone: 'quiet',
    noWrap: true,
    isUnderName: true,
    cell: ({ reference }) => reference,
  },
  {
    id: 'file',
    header: t('Payment file'),
    tone: 'quiet',
    noWrap: true,
    isUnderName: true,
    cell: (item) => <PaymentFileCell item={item} isToPay={status === 'Created' || status === 'Preparing'} />,
  },
  {
    id: 'player',
    header: t('Player ID'),
    tone: 'quiet',
    hiddenBelow: 'lg',
    isBlank: ({ playerId }) => playerId === null,
    cell: ({ playerId }) => playerId ?? '–',
  },
  {
    id: 'rows',
    header: t('Purchases'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'sm',
    // A canceled payout no longer has its purchases.
    cell: ({ rowCount, memberId }) => (
      <FigureLink
        screen="transactions"
        query={
          rowCount === 0 || status === 'Cancelled' || status === 'Cancelling'
            ? null
            : { group: groupId, creator: memberId, payout: payoutId }
        }
      >
        {formatCount(rowCount)}
      </FigureLink>
    ),
  },
  {
    id: 'payments',
    header: t('Earned'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'sm',
    // Without bounties and adjustments, it would repeat the amount.
    isBlank: ({ paymentsMinor, amountMinor }) => paymentsMinor === amountMinor,
    cell: ({ paymentsMinor }) => <Money minor={paymentsMinor} currency={currency} />,
  },
  {
    id: 'rewards',
    header: t('Bounties'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'md',
    isBlank: ({ rewardsMinor }) => rewardsMinor === '0',
    isUnderAmount: true,
    cell: ({ rewardsMinor }) => (
      <PartOfAmount name={t('Bounties')} minor={rewardsMinor} currency={currency} />
    ),
  },
  {
    id: 'adjustments',
    header: t('Deducted'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'md',
    isBlank: ({ adjustmentsMinor }) => adjustmentsMinor === '0',
    isUnderAmount: true,
    cell: ({ adjustmentsMinor }) => (
      <PartOfAmount name={t('Deducted')} minor={adjustmentsMinor} currency={currency} />
    ),
  },
  {
    id: 'amount',
    header: t('Amount'),
    tone: 'strong',
    align: 'end',
    cell: ({ amountMinor }) => <Money minor={amountMinor} currency={currency} />,
  },
  { id: 'result', header: t('Result'), isUnderName: true, cell: (item) => <ResultCell item={item} /> },
];

/** Part of a payment. Below the amount, on a phone, it says what it is. */
function PartOfAmount({ name, minor, currency }: { name: string; minor: string; currency: string }) {
  const isNarrow = useNarrow();
  if (isNarrow && minor === '0') return null;
  return (
    <>
      {isNarrow && `${name} `}
      <Money minor={minor} currency={currency} isSigned />
    </>
  );
}
