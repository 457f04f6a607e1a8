import { Button, Stack, Table, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { TransactionDetail } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { type Refund, refundTitle, sumsOf } from './refund-words.ts';

const ReinstateDialog = lazy(() =>
  import('./reinstate-dialog.tsx').then((found) => ({ default: found.ReinstateDialog })),
);

/** Table of everything that was taken back from a purchase, with a button that gives it back. */
export function PurchaseRefunds({ detail }: { detail: TransactionDetail }) {
  const { may } = usePublisher();
  const [chosen, setChosen] = useState<Refund | null>(null);
  if (detail.refunds.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('Reversals')}
      </Text>
      <Table aria-label={t('Reversals of this purchase')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Reason')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('Reversed')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {detail.refunds.map((refund) => (
            <Table.Tr key={`${refund.source} ${refund.refundId}`}>
              <Table.Td>
                <Text size="sm">{refundTitle(refund)}</Text>
                <Text size="xs" c="dimmed">
                  <When at={refund.at} />
                  {refund.source === 'Refund' && ` · ${refund.refundId}`}
                </Text>
                {refund.reinstatedAt === null ? (
                  may('reverse') && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      mt={4}
                      leftSection={<Icon name="refresh" size={12} />}
                      onClick={() => setChosen(refund)}
                    >
                      {t('Reinstate…')}
                    </Button>
                  )
                ) : (
                  <Text size="xs" c="dimmed">
                    {t('Reinstated:')} <When at={refund.reinstatedAt} /> · {refund.reinstatedFor}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="end">
                {sumsOf(refund, 'shareMinor').map(([currency, minor]) => (
                  <Text
                    key={currency}
                    size="sm"
                    td={refund.reinstatedAt === null ? undefined : 'line-through'}
                  >
                    <Money
                      minor={String(-minor)}
                      currency={currency}
                      isSigned={refund.reinstatedAt === null}
                    />
                  </Text>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Suspense>
        {chosen !== null && (
          <ReinstateDialog detail={detail} refund={chosen} onClose={() => setChosen(null)} />
        )}
      </Suspense>
    </Stack>
  );
}
