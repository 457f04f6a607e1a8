import { Code, Group, Text } from '@mantine/core';
import type { ListedCreator } from '../../../client/types.gen.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { unknown } from '../../../ui/money.tsx';
import { Monogram } from '../../../ui/monogram.tsx';
import { type Order, sortBy } from '../../../ui/sort-head.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { Balances } from './balances.tsx';
import classes from './creators.module.css';
import { TagChips } from './tag-chips.tsx';
import type { Status } from './use-creators.ts';

const codesShown = 2;
/** Characters of codes that leave room for the other columns, and for the tier on a phone's second line. */
const charactersShown = 11;
const tagsShown = 2;

interface ColumnsOf {
  status: Status;
  isOfOneGroup: boolean;
  /** Currency of the balances that the list is sorted by; absent for another order. */
  sortedBy: string | undefined;
  /** Currencies that the list can be sorted by. */
  currencies: readonly string[];
}

/** Orders of the list. Amounts of different currencies can't be compared, so each names one currency. */
export const balanceOrders = (currencies: readonly string[]): readonly Order[] => [
  { value: null, label: t('Newest first') },
  ...currencies.map((currency) => ({
    value: currency,
    label: t('Highest balance in {currency}', { currency }),
    direction: 'descending' as const,
  })),
];

export function columns({ status, isOfOneGroup, sortedBy, currencies }: ColumnsOf): Column<ListedCreator>[] {
  const all: (Column<ListedCreator> | false)[] = [
    {
      id: 'name',
      header: t('Creator'),
      // Reasons for a removal may be long, and need their width.
      isCut: status === 'Removed' ? true : 'rest',
      hasMonogram: true,
      cell: ({ name, memberId }) => (
        <Group component="span" gap="xs" wrap="nowrap">
          <Monogram name={name} id={memberId} />
          <Text size="sm" fw={600} span className={classes.name}>
            {name}
          </Text>
        </Group>
      ),
    },
    {
      id: 'codes',
      header: t('Codes'),
      noWrap: true,
      cell: ({ codes, application }) => (
        <Codes codes={codes.length === 0 ? [application?.code ?? []].flat() : codes} />
      ),
      isUnderName: 'first',
    },
    !isOfOneGroup && {
      id: 'group',
      header: t('Group'),
      tone: 'quiet',
      noWrap: true,
      cell: ({ groupName }) => (
        <span className={classes.group} title={groupName}>
          {groupName}
        </span>
      ),
      // On a phone, people who decide about applicants see the group on a line of its own. For other creators, the drawer
      // shows it, because the second line would be cut off.
      ...(status === 'Pending' ? { isUnderName: 'whole' } : { hiddenBelow: 'sm' }),
    },
    status !== 'Removed' && {
      id: 'tier',
      header: t('Tier'),
      tone: 'quiet',
      isBlank: ({ tier }) => tier === null,
      isExpected: true,
      cell: ({ tier }) => tier?.name ?? <None />,
      noWrap: true,
      isUnderName: true,
    },
    {
      id: 'tags',
      header: t('Tags'),
      isBlank: ({ tags }) => tags.length === 0,
      cell: ({ tags }) => (tags.length === 0 ? unknown : <Tags tags={tags} />),
      hiddenBelow: 'md',
    },
    {
      id: 'player',
      header: t('Player ID'),
      tone: 'quiet',
      isBlank: ({ playerId }) => playerId === null,
      isExpected: true,
      cell: ({ playerId }) => playerId ?? unknown,
      hiddenBelow: 'xl',
    },
    status === 'Removed' && {
      id: 'reason',
      header: t('Reason'),
      tone: 'quiet',
      cell: ({ removalReason }) => removalReason ?? <None />,
      isUnderName: 'whole',
    },
    status === 'Removed'
      ? {
          id: 'removed',
          header: t('Removed'),
          tone: 'quiet',
          cell: ({ removedAt }) => <When at={removedAt} precision="day" />,
          hiddenBelow: 'md',
        }
      : {
          id: 'joined',
          header: status === 'Pending' ? t('Applied') : t('Joined'),
          tone: 'quiet',
          ...(status !== 'Pending' &&
            currencies.length > 0 && {
              sort: sortBy('balanceIn', [{ value: null, label: t('Newest first'), direction: 'descending' }]),
            }),
          cell: ({ joinedAt, application }) => (
            <When at={application?.appliedAt ?? joinedAt} precision="day" />
          ),
          hiddenBelow: status === 'Pending' ? 'sm' : 'lg',
          // For other creators, a narrow window has no room for it beside the balance.
          isUnderName: status === 'Pending' && isOfOneGroup,
        },
    status === 'Pending' && {
      id: 'ends',
      header: t('Decide by'),
      tone: 'quiet',
      isBlank: ({ application }) => application === null,
      cell: ({ application }) =>
        application === null ? unknown : <When at={application.expiresAt} precision="day" />,
      hiddenBelow: 'md',
    },
    // Applicants haven't earned anything yet.
    status !== 'Pending' && {
      id: 'balance',
      header: t('Balance'),
      tone: 'strong',
      ...(currencies.length > 0 && { sort: sortBy('balanceIn', balanceOrders(currencies)) }),
      align: 'end',
      noWrap: true,
      cell: ({ balances }) => <Balances balances={balances} first={sortedBy} />,
    },
  ];
  return all.filter((column) => column !== false);
}

/** Dash for an empty value in a column. Hidden where the value would be on a row's second line. */
const None = () => <span data-none>{unknown}</span>;

const Tags = ({ tags }: Pick<ListedCreator, 'tags'>) => (
  <Group component="span" gap={4} wrap="nowrap" className={classes.tags}>
    <TagChips tags={tags} limit={tagsShown} />
  </Group>
);

function Codes({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return unknown;
  const first = codes.slice(0, codesShown);
  const shown = first.join('').length > charactersShown ? first.slice(0, 1) : first;
  const more = codes.length - shown.length;
  return (
    <Group gap={4} wrap="nowrap" className={classes.codesOfRow}>
      {shown.map((code) => (
        <Code key={code} title={code}>
          {code}
        </Code>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed" title={codes.slice(shown.length).join(', ')}>
          {t('+{more} more', { more })}
        </Text>
      )}
    </Group>
  );
}
