import { Button, Code, Divider, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { getTransactionOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { TransactionDetail as Detail } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DrawerActions } from '../../../ui/detail-drawer.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useKeys } from '../../../ui/keys.ts';
import { unknown } from '../../../ui/money.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import classes from './explained-row.module.css';
import { ExplainedRow } from './explained-row.tsx';
import { explanationText } from './explanation-text.ts';
import { holdable } from './holdable.ts';
import { originNames } from './names.ts';
import { Outcomes, type RowOutcomes } from './outcomes.tsx';
import { PurchaseHead } from './purchase-head.tsx';
import { PurchaseRefunds } from './purchase-refunds.tsx';
import { RefundDialog, refundable } from './refund-dialog.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';
import { SentEvents } from './sent-events.tsx';

const ClawBackDialog = lazy(() =>
  import('../../claw-back/claw-back-dialog.tsx').then((found) => ({ default: found.ClawBackDialog })),
);

const HoldPurchase = lazy(() =>
  import('./hold-purchase.tsx').then((found) => ({ default: found.HoldPurchase })),
);
const ReleaseDialog = lazy(() =>
  import('../../holds/release-dialog.tsx').then((found) => ({ default: found.ReleaseDialog })),
);

export function TransactionDetail({ transactionId }: { transactionId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getTransactionOptions({ path: { publisherId, transactionId } }));
  if (data === undefined && error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the purchase')}
        missing={t('Purchase not found')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <FactsSkeleton facts={12} />;
  return (
    <Stack>
      {error !== null && (
        <ErrorNotice error={error} title={t('Couldn’t load the purchase')} onRetry={() => void refetch()} />
      )}
      <Loaded detail={data} />
    </Stack>
  );
}

function Loaded({ detail }: { detail: Detail }) {
  const { may } = usePublisher();
  const [isReversing, setReversing] = useState(false);
  const [isRefunding, setRefunding] = useState(false);
  const [isClawingBack, setClawingBack] = useState(false);
  const [isHolding, setHolding] = useState(false);
  const [isReleasing, setReleasing] = useState(false);
  const [outcomes, setOutcomes] = useState<RowOutcomes | null>(null);
  useKeys({ e: () => document.querySelector<HTMLElement>('[data-explanation]')?.focus() });
  const [first] = detail.rows;
  if (first === undefined) return null;
  const standing = detail.rows.filter(({ row }) => ['Normal', 'Test'].includes(row.status));
  // A paid share is clawed back instead.
  const canReverse = standing.some(({ row }) => !row.isPaid);
  const held = detail.rows.flatMap(({ hold }) => hold ?? []);
  const canHold = holdable(detail).length > 0;
  const isPaid = standing.some(({ row }) => row.isPaid);
  return (
    <>
      <PurchaseHead rows={detail.rows} />
      <Group gap="xs">
        <Code className={classes.id}>{detail.transactionId}</Code>
        <CopyButton value={detail.transactionId} label={t('Copy ID')} />
      </Group>
      <DrawerActions>
        <CopyButton value={explanationText(detail)} label={t('Copy explanation')} withLabel size="xs" />
        {may('reverse') && canReverse && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="refresh" size={14} />}
            onClick={() => setReversing(true)}
          >
            {t('Reverse…')}
          </Button>
        )}
        {may('reverse') && refundable(detail).length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="shares" size={14} />}
            onClick={() => setRefunding(true)}
          >
            {t('Refund partially…')}
          </Button>
        )}
        {may('reverse') && canHold && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="pause" size={14} />}
            onClick={() => setHolding(true)}
          >
            {t('Hold…')}
          </Button>
        )}
        {may('reverse') && held.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="play" size={14} />}
            onClick={() => setReleasing(true)}
          >
            {t('Release…')}
          </Button>
        )}
        {may('payouts') && isPaid && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="payouts" size={14} />}
            onClick={() => setClawingBack(true)}
          >
            {t('Claw back…')}
          </Button>
        )}
      </DrawerActions>
      {may('reverse') && !may('payouts') && isPaid && !canReverse && (
        <Text size="sm" c="dimmed">
          {t('This purchase is paid. A colleague who handles payouts can claw it back.')}
        </Text>
      )}
      {outcomes !== null && <Outcomes outcomes={outcomes} detail={detail} />}
      {detail.rows.length > 1 && (
        <Text size="sm" fw={600}>
          {t('Split into {count, plural, one {# transaction} other {# transactions}}', {
            count: detail.rows.length,
          })}
        </Text>
      )}
      {detail.rows.map((each) => (
        <Stack key={each.row.attributionId} gap="sm">
          <Divider />
          <ExplainedRow explained={each} hasState={detail.rows.length > 1} />
        </Stack>
      ))}
      <PurchaseRefunds detail={detail} />
      <Divider />
      <Facts facts={factsOf(detail, first.row)} />
      <SentEvents transactionId={detail.transactionId} />
      <RefundDialog detail={detail} opened={isRefunding} onClose={() => setRefunding(false)} />
      <ReverseDialog
        detail={detail}
        opened={isReversing}
        onClose={() => setReversing(false)}
        onDone={setOutcomes}
      />
      <Suspense>
        {isHolding && <HoldPurchase detail={detail} onClose={() => setHolding(false)} />}
        {isReleasing && held.length > 0 && <ReleaseDialog holds={held} onClose={() => setReleasing(false)} />}
        {isClawingBack && (
          <ClawBackDialog transactionId={detail.transactionId} onClose={() => setClawingBack(false)} />
        )}
      </Suspense>
    </>
  );
}

function factsOf({ recordedAt }: Detail, row: Detail['rows'][number]['row']) {
  return [
    [t('Recorded'), <When key="recorded" at={recordedAt} precision="second" />],
    [t('Description'), row.description || unknown],
    [t('Buyer'), buyerOf(row)],
    [t('SKU'), row.skuId ?? unknown],
    [t('Platform'), row.platform ?? unknown],
    [t('Origin'), originNames()[row.origin] ?? row.origin],
    [t('Group'), <GroupName key="group" groupId={row.groupId} />],
  ] as const;
}

const buyerOf = ({ playerId, playerName }: Detail['rows'][number]['row']): string =>
  [playerName, playerId].filter((each) => each !== null).join(' · ') || unknown;
