import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listMissingCodesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ListedConnector, MissingCode } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';

/** Number of codes that are shown. The list of events shows all orders. */
const maxShown = 5;

/** Returns when an order is recorded whose code is approved later. */
export const whenRecorded = (isPaused: boolean): string =>
  isPaused
    ? t('If you approve a code within 30 days of an order, the order is recorded once the connector resumes.')
    : t('If you approve a code within 30 days of an order, the order is recorded within a minute.');

/** Codes of orders that credited no creator. The service records the orders once their code is approved. */
export function MissingCodes({ connector }: { connector: ListedConnector }) {
  const { publisherId } = usePublisher();
  const { setQuery } = useUrlState();
  const { connectorId, groupId, counts, pausedAt } = connector;
  const { data } = useQuery({
    ...listMissingCodesOptions({ path: { publisherId, connectorId } }),
    enabled: counts.ignored > 0,
    refetchInterval: 15_000,
  });
  const codes = data?.rows ?? [];
  if (codes.length === 0) return null;
  const others = codes.length - maxShown;
  return (
    <Alert
      color="yellow"
      icon={<Icon name="alert" />}
      title={t('Orders with codes that aren’t approved')}
      role="group"
      mb="md"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{whenRecorded(pausedAt !== null)}</Text>
        <List size="sm" spacing={2} role="list">
          {codes.slice(0, maxShown).map((each) => (
            <List.Item key={each.code}>
              <ScreenLink
                screen="creators"
                query={{ check: each.code, group: groupId ?? undefined }}
                isInText
              >
                {each.code}
              </ScreenLink>
              {': '}
              <Orders of={each} isPaused={pausedAt !== null} />
            </List.Item>
          ))}
        </List>
        {others > 0 && (
          <Text size="sm">
            {t('{count, plural, one {# other code} other {# other codes}}', { count: others })}
          </Text>
        )}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={() => setQuery({ status: 'Ignored', reason: 'CodeNotInGroup', orderId: null })}
          >
            {t('View orders')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

interface OrdersProps {
  of: MissingCode;
  isPaused: boolean;
}

function Orders({ of: { orders, isApproved, recordableUntil }, isPaused }: OrdersProps) {
  if (isApproved)
    return isPaused
      ? t(
          'Approved. {count, plural, one {# order} other {# orders}} will be recorded once the connector resumes',
          { count: orders },
        )
      : t('Approved. {count, plural, one {# order is} other {# orders are}} being recorded', {
          count: orders,
        });
  return (
    <>
      {t('{count, plural, one {# order} other {# orders}}. The oldest can be recorded until', {
        count: orders,
      })}{' '}
      <When at={recordableUntil} />
    </>
  );
}
