import { Box, Button, Code, Stack, Table, Text, Title } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { reconcilePayoutMonthOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type {
  MonthDifference,
  MonthSum,
  ReconciledLine,
  ReconcilePayoutMonthResponse,
} from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { monthName } from './months.ts';
import classes from './payouts.module.css';

interface MonthComparisonProps {
  month: string;
  group: string | undefined;
  sums: readonly MonthSum[];
}

/** Number of purchases in a month above which the comparison is loaded only on request, because it takes seconds. */
const maxAutomatic = 100_000;

/**
 * Compares the sums of the page, by purchase date, with the month-end files, by booking date. On a phone, where it is
 * long, it is collapsed at first.
 */
export function MonthComparison({ month, group, sums }: MonthComparisonProps) {
  const { publisherId } = usePublisher();
  const [isAsked, setAsked] = useState(false);
  const isLarge = sums.reduce((count, { earnedCount }) => count + earnedCount, 0) > maxAutomatic;
  const isNarrow = useNarrow();
  // Without sums, only the files can tell whether there is anything to compare.
  const isShown = isAsked || (!isLarge && (!isNarrow || sums.length === 0));
  const asked = useQuery({
    ...reconcilePayoutMonthOptions({ path: { publisherId }, query: { month, group } }),
    enabled: isShown,
  });
  const { data } = asked;
  // Without sums, the page says that the month had no activity, which is enough unless the files have amounts.
  if (sums.length === 0 && (data === undefined || data.lines.length === 0)) return null;
  return (
    <Stack gap="xs" component="section" aria-label={t('Comparison with the month-end files')}>
      {isNarrow ? (
        <Box>
          <Button variant="default" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
            {t('Compare with month-end files')}
          </Button>
        </Box>
      ) : (
        <Title order={2} size="h4">
          {t('Comparison with the month-end files')}
        </Title>
      )}
      {(isAsked || !isNarrow) && <Comparison {...{ month, asked, isShown }} onAsk={() => setAsked(true)} />}
    </Stack>
  );
}

interface ComparisonProps {
  month: string;
  asked: UseQueryResult<ReconcilePayoutMonthResponse, unknown>;
  isShown: boolean;
  onAsk(): void;
}

function Comparison({ month, asked, isShown, onAsk }: ComparisonProps) {
  const { data, error } = asked;
  return (
    <>
      <Text size="sm" c="dimmed" maw="90ch">
        {t(
          'This page counts a purchase in the month when it was made. The month-end files count it in the month when the ledger booked it, usually seconds later.',
        )}
        {data !== undefined && !data.isClosed && (
          <>
            {' '}
            {t('The month isn’t over: the files end at')} <When at={data.asOf} precision="second" />.
          </>
        )}
      </Text>
      {!isShown && (
        <Box>
          <Button variant="default" onClick={onAsk}>
            {t('Compare')}
          </Button>
        </Box>
      )}
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t compare the month with its files')}
          onRetry={() => void asked.refetch()}
        />
      )}
      {isShown && data === undefined && error === null && <LateSkeleton lines={4} />}
      {data !== undefined && <Compared lines={data.lines} month={month} />}
    </>
  );
}

const kinds = ['earned', 'reversed', 'bounties', 'paid'] as const;
type Kind = (typeof kinds)[number];

const nameOf = (kind: Kind): string =>
  ({ earned: t('Earned'), reversed: t('Reversed'), bounties: t('Bounties'), paid: t('Paid') })[kind];

interface OfCurrency extends Record<Kind, MonthDifference> {
  currency: string;
  clawedBackMinor: string;
}

interface ComparedProps {
  lines: readonly ReconciledLine[];
  month: string;
}

function Compared({ lines, month }: ComparedProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isBookedElsewhere(byCurrency(lines))) return <Differences lines={lines} month={month} />;
  return (
    <>
      <Text size="sm">
        {t(
          'These purchases were booked in another month, so this month’s month-end files contain none of them.',
        )}
      </Text>
      <Box>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Hide comparison') : t('Show comparison')}
        </Button>
      </Box>
      {isOpen && <Differences lines={lines} month={month} />}
    </>
  );
}

function Differences({ lines, month }: ComparedProps) {
  const isNarrow = useNarrow();
  const all = byCurrency(lines);
  const differing = all.filter((each) => kinds.some((kind) => isDifferent(each[kind])));
  const same = all.filter((each) => !differing.includes(each)).map(({ currency }) => currency);
  const shown = kinds.filter((kind) => differing.some((each) => isDifferent(each[kind])));
  if (differing.length === 0) return <Text size="sm">{t('All amounts are the same in both.')}</Text>;
  return (
    <>
      {isNarrow ? <Stacked all={differing} /> : <Wide all={differing} />}
      {same.length > 0 && (
        <Text size="sm">
          {t('The amounts in {currencies} are the same in both.', {
            currencies: new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(same),
          })}
        </Text>
      )}
      <Stack gap={4} maw="110ch">
        {shown.map((kind) => (
          <Text key={kind} size="xs" c="dimmed">
            {explain(kind, monthName(month))}
          </Text>
        ))}
        {differing.some(({ earned }) => earned.onlyFilesMinor === null) && (
          <Text size="xs" c="dimmed">
            {t(
              'Too many purchases were recorded late to list the earned amounts that are only in one of them.',
            )}
          </Text>
        )}
      </Stack>
    </>
  );
}

/** Explains in which cases an amount is only in the files, or only on the page. */
function explain(kind: Kind, month: string): ReactNode {
  switch (kind) {
    case 'earned':
      return t(
        'Earned: only in the files if booked in {month} for a purchase of another month, and only on this page if the purchase of {month} was booked in another month.',
        { month },
      );
    case 'reversed':
      return (
        <>
          {t(
            'Reversed: only in the files if reversed in {month} for a purchase of another month, and only on this page if the purchase of {month} was reversed in another month.',
            { month },
          )}{' '}
          {t('In the files, the type is')} <Code>reversed</Code>
          {t(', or')} <Code>clawedBack</Code> {t('if it had been paid.')}
        </>
      );
    case 'bounties':
      return t('Bounties: this page uses the day of completion, and the files the booking date.');
    case 'paid':
      return t(
        'Paid: this page counts payouts marked as paid in {month}. The files count amounts put into payouts in {month}, less those of payouts that were canceled, failed or were returned in it, as negative amounts.',
        { month },
      );
  }
}

interface ComparedTable {
  all: readonly OfCurrency[];
}

function Wide({ all }: ComparedTable) {
  return (
    <Scroller label={t('Comparison with the month-end files')}>
      <Table className={classes.sums} aria-label={t('Comparison with the month-end files')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Amount')}</Table.Th>
            {columns().map(([, name]) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {all.map((each) => (
          <Table.Tbody key={each.currency}>
            {kindsOf(each).map((kind) => (
              <Table.Tr key={kind}>
                <Table.Th scope="row">
                  {nameOf(kind)}{' '}
                  <Text span c="dimmed" size="sm">
                    {each.currency}
                  </Text>
                </Table.Th>
                {columns().map(([column, name]) => (
                  <Table.Td key={name} {...(column === 'filesMinor' && { fw: 600 })}>
                    <Amount each={each} kind={kind} column={column} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        ))}
      </Table>
    </Scroller>
  );
}

/** On a phone, each amount that differs has its terms below each other. */
const Stacked = ({ all }: ComparedTable): ReactNode =>
  all.map((each) => (
    <Table
      key={each.currency}
      className={classes.sums}
      aria-label={t('Comparison in {currency}', { currency: each.currency })}
    >
      {kinds
        .filter((kind) => isDifferent(each[kind]))
        .map((kind) => (
          <Table.Tbody key={kind}>
            <Table.Tr>
              <Table.Th scope="colgroup" colSpan={2} fw={600} c="var(--mantine-color-text)">
                {nameOf(kind)} {each.currency}
              </Table.Th>
            </Table.Tr>
            {columns().map(([column, name]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td {...(column === 'filesMinor' && { fw: 600 })}>
                  <Amount each={each} kind={kind} column={column} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        ))}
    </Table>
  ));

type Column = keyof MonthDifference;

const columns = (): readonly (readonly [Column, string])[] => [
  ['pageMinor', t('This page')],
  ['onlyFilesMinor', t('+ Only in the files')],
  ['onlyPageMinor', t('− Only on this page')],
  ['filesMinor', t('= Month-end files')],
];

function Amount({ each, kind, column }: { each: OfCurrency; kind: Kind; column: Column }) {
  const minor = each[kind][column];
  const isTotal = column === 'pageMinor' || column === 'filesMinor';
  if (minor === null || (minor === '0' && !isTotal))
    return (
      <Text span c="dimmed" size="sm">
        {minor === null ? t('not listed') : unknown}
      </Text>
    );
  return (
    <>
      <Money minor={minor} currency={each.currency} isSigned />
      {kind === 'reversed' && column === 'filesMinor' && each.clawedBackMinor !== '0' && (
        <Text size="xs" c="dimmed" fw={400}>
          {t('of which clawed back:')}{' '}
          <Money minor={each.clawedBackMinor} currency={each.currency} isSigned />
        </Text>
      )}
    </>
  );
}

const isDifferent = ({ pageMinor, onlyFilesMinor, onlyPageMinor, filesMinor }: MonthDifference): boolean =>
  pageMinor !== filesMinor ||
  [onlyFilesMinor, onlyPageMinor].some((minor) => minor !== null && minor !== '0');

/** Returns whether the files have no amounts, and all that the page has is of purchases booked in another month. */
const isBookedElsewhere = (all: readonly OfCurrency[]): boolean =>
  all.some(({ earned }) => isDifferent(earned)) &&
  all.every(
    (each) =>
      kinds.every((kind) => each[kind].filesMinor === '0' && each[kind].onlyFilesMinor === '0') &&
      !isDifferent(each.bounties) &&
      !isDifferent(each.paid),
  );

/** Returns the amounts of a currency that aren't zero in all columns. */
const kindsOf = (each: OfCurrency): readonly Kind[] =>
  kinds.filter((kind) => isDifferent(each[kind]) || each[kind].pageMinor !== '0');

/** Adds up the lines of all groups by currency. */
const byCurrency = (lines: readonly ReconciledLine[]): OfCurrency[] =>
  [...Map.groupBy(lines, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, some]) => {
      const of = (kind: Kind): MonthDifference => ({
        pageMinor: total(some.map((each) => each[kind].pageMinor)) ?? '0',
        onlyFilesMinor: total(some.map((each) => each[kind].onlyFilesMinor)),
        onlyPageMinor: total(some.map((each) => each[kind].onlyPageMinor)),
        filesMinor: total(some.map((each) => each[kind].filesMinor)) ?? '0',
      });
      return {
        currency,
        earned: of('earned'),
        reversed: of('reversed'),
        bounties: of('bounties'),
        paid: of('paid'),
        clawedBackMinor: total(some.map(({ clawedBackMinor }) => clawedBackMinor)) ?? '0',
      };
    });

/** @returns null if any amount is unknown */
const total = (amounts: readonly (string | null)[]): string | null =>
  amounts.includes(null) ? null : String(amounts.reduce((sum, minor) => sum + BigInt(minor ?? 0), 0n));
