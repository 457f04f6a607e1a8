import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listTransactionsOptions } from '../../client/@tanstack/react-query.gen.ts';
import type { TransactionRow } from '../../client/types.gen.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { When } from '../../ui/when.tsx';
import { useGroupNames } from '../group-name.tsx';
import { LinkButton } from '../link-button.tsx';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';
import { FirstPurchase, type FirstPurchaseProps } from './first-purchase.tsx';
import { useFirstSteps } from './use-first-steps.ts';

interface NoPurchasesProps {
  /** True if the publisher has purchases that the period's sums don't contain. */
  hasPurchases: boolean;
  /** Notified when the dialog with a command opens and closes. Until it closes, this must stay mounted. */
  onCommand(isShown: boolean): void;
}

/** Overview of a period without purchases, or of a publisher without any. */
export const NoPurchases = ({ hasPurchases, onCommand }: NoPurchasesProps) =>
  hasPurchases ? (
    <NoneInSums />
  ) : (
    <FirstPurchase icon="overview" title={t('No purchases yet')} onCommand={onCommand} />
  );

/** Says where the purchases are that the sums don't contain: among tests, in other groups or on other days. */
function NoneInSums() {
  const { publisherId } = usePublisher();
  const { group } = useUrlState().query;
  const { data, error } = useQuery(
    listTransactionsOptions({ path: { publisherId }, query: { group, limit: 50 } }),
  );
  if (data === undefined && error === null) return null;
  const { rows = [], nextCursor = null } = data ?? {};
  const [latest] = rows;
  if (data !== undefined && latest === undefined && group !== undefined)
    return <NoneInGroup icon="overview" groupId={group} />;
  const isOnlyTests = nextCursor === null && rows.every(({ status }) => status === 'Test');
  if (latest !== undefined && isOnlyTests) return <OnlyTests latest={latest} />;
  return (
    <EmptyState icon="overview" title={t('No purchases in this period')} action={<ToAll />}>
      {t('Choose other days. Test purchases aren’t included here.')}
    </EmptyState>
  );
}

const ToAll = () => (
  <LinkButton screen="transactions" isQuiet>
    {t('Show all purchases')}
  </LinkButton>
);

/** Shows the latest test to a publisher that has only tests, because the sums would seem to have lost it. */
const OnlyTests = ({ latest }: { latest: TransactionRow }) => (
  <EmptyState icon="overview" title={t('Only test purchases so far')} action={<ToAll />}>
    {t('These totals leave out test purchases, which are never paid out.')}
    <Paper withBorder p="sm" mt="sm" ta="start" component="section" aria-label={t('Latest test purchase')}>
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Text fw={600} size="sm" truncate component="div">
            <ScreenLink screen="transactions" query={{ open: latest.transactionId }}>
              {latest.transactionId}
            </ScreenLink>
          </Text>
          <Text size="xs" c="dimmed">
            {latest.creator.name} · <When at={latest.transactionDate} />
          </Text>
        </Stack>
        <Text fw={600} size="sm" component="div">
          <Money minor={latest.subtotalMinor} currency={latest.currency} />
        </Text>
      </Group>
    </Paper>
  </EmptyState>
);

/** First purchase for a list that may show a single group. Says so if only other groups have purchases. */
export function FirstInGroup({ onCommand, ...props }: FirstPurchaseProps) {
  const { group } = useUrlState().query;
  const first = useFirstSteps();
  // The dialog with a command stays open when its purchase arrives.
  const [isCommandShown, setCommandShown] = useState(false);
  const show = useCallback(
    (isShown: boolean): void => {
      setCommandShown(isShown);
      onCommand?.(isShown);
    },
    [onCommand],
  );
  if (group !== undefined && !isCommandShown) {
    if (first.isPending) return null;
    if (first.data?.hasPurchases === true) return <NoneInGroup icon={props.icon} groupId={group} />;
  }
  return <FirstPurchase {...props} onCommand={show} />;
}

interface NoneInGroupProps {
  icon: IconName;
  groupId: string;
}

/** Empty state of a group without purchases, of a publisher that has purchases in other groups. */
function NoneInGroup({ icon, groupId }: NoneInGroupProps) {
  const { setQuery } = useUrlState();
  const nameOf = useGroupNames();
  return (
    <EmptyState
      icon={icon}
      title={t('No purchases in {group} yet', { group: nameOf(groupId) })}
      action={
        <Button variant="default" onClick={() => setQuery({ group: null })}>
          {t('Show all groups')}
        </Button>
      }
    >
      {t('Other creator groups have purchases.')}
    </EmptyState>
  );
}
