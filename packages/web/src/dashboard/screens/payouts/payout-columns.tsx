import type { Payout } from '../../../client/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import type { Column } from '../../../ui/table-column.ts';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { GroupName } from '../../group-name.tsx';
import { type ListedPayouts, PayoutLink } from './payout-link.tsx';
import { PayoutStatus } from './payout-status.tsx';

/** @param listed the list, if the payouts' pages step through it */
export const payoutColumns = (listed?: ListedPayouts): Column<Payout>[] => [
  {
    id: 'created',
    header: t('Payout'),
    cell: ({ payoutId, number, createdAt }) => (
      <PayoutLink to={payoutId} listed={listed}>
        {number} · <When at={createdAt} />
      </PayoutLink>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    isUnderAmount: true,
    cell: ({ status }) => <PayoutStatus status={status} />,
  },
  {
    id: 'total',
    header: t('Total'),
    tone: 'strong',
    align: 'end',
    cell: ({ totalMinor, currency }) => <Money minor={totalMinor} currency={currency} />,
  },
  {
    id: 'members',
    header: t('Creators'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'md',
    cell: ({ memberCount }) => formatCount(memberCount),
  },
  {
    id: 'rows',
    header: t('Purchases'),
    tone: 'quiet',
    align: 'end',
    hiddenBelow: 'md',
    cell: ({ rowCount }) => formatCount(rowCount),
  },
  {
    id: 'group',
    header: t('Group'),
    tone: 'quiet',
    noWrap: true,
    isUnderName: true,
    cell: ({ groupId }) => <GroupName groupId={groupId} />,
  },
  {
    id: 'by',
    header: t('Created by'),
    tone: 'quiet',
    hiddenBelow: 'lg',
    cell: ({ createdBy }) => createdBy?.name ?? '–',
  },
  {
    id: 'paid',
    header: t('Paid'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    isBlank: ({ paidAt }) => paidAt === null,
    cell: ({ paidAt }) => <When at={paidAt} />,
  },
];
