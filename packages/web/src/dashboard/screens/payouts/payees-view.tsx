import { Text } from '@mantine/core';
import { listPayeeMethodsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { PayeeMethod } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { CreatorCell } from '../../creator-cell.tsx';
import { MethodRow } from '../../payees/method-row.tsx';
import { usePublisher } from '../../session/session.ts';
import { PartsPage } from './parts-page.tsx';

/** Payout methods that are waiting for a second person, newest first. */
export function PayeesView() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const page = usePage(
    listPayeeMethodsOptions({
      path: { publisherId },
      query: { waiting: true, cursor: query.cursor, limit: limitOf(query) },
    }),
  );
  return (
    <PartsPage here="payees" about={t('Payout methods waiting for a second person’s approval.')}>
      <DataTable
        label={t('Payout methods')}
        list="payees"
        columns={columns()}
        page={page}
        rowKey={({ methodId }) => methodId}
        empty={
          <EmptyState icon="check" title={t('No methods to approve')}>
            {t('To add a payout method, open the creator.')}
          </EmptyState>
        }
      />
    </PartsPage>
  );
}

const columns = (): Column<PayeeMethod>[] => [
  {
    id: 'creator',
    header: t('Creator'),
    tone: 'strong',
    isCut: true,
    cell: (method) => <CreatorCell creator={method} groupId={undefined} />,
  },
  {
    id: 'method',
    header: t('Method'),
    isUnderName: 'whole',
    cell: (method) => (
      <Text component="div" size="sm">
        <MethodRow method={method} />
      </Text>
    ),
  },
];
