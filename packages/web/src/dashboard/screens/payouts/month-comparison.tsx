import { Box, Button, Code, Stack, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { MonthDifference, ReconciledLine } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { When } from '../../../ui/when.tsx';
import {
  byCurrency,
  isBookedElsewhere,
  isDifferent,
  type Kind,
  kinds,
  type OfCurrency,
} from './compared-month.ts';
import { monthName } from './months.ts';
import classes from './payouts.module.css';
import type { Comparison } from './use-comparison.ts';

interface MonthComparisonProps {
  month: string;
  comparison: Comparison;
}

/**
 * Compares the sums of the page, by purchase date, with the month-end files, by booking date. On a phone, where it is
 * long, it is collapsed at first.
 */
export function MonthComparison({ month, comparison }: MonthComparisonProps) {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useNarrow();
  const toggle = (): void => {
    setOpen(!isOpen);
    comparison.ask();
  };
  return (
    <Stack gap="xs" component="section" aria-label={t('Reconciliation with the month-end files')}>
      {isNarrow ? (
        <Box>
          <Button variant="default" aria-expanded={isOpen} onClick={toggle}>
            {t('Reconcile with month-end files')}
          </Button>
        </Box>
      ) : (
        <Title order={2} size="h4">
          {t('Reconciliation with the month-end files')}
        </Title>
      )}
      {(isOpen || !isNarrow) && <Content month={month} comparison={comparison} />}
    </Stack>
  );
}

function Content({ month, comparison: { asked, isShown, ask } }: MonthComparisonProps) {
  const { data, error } = asked;
  const isElsewhere = data !== undefined && isBookedElsewhere(byCurrency(data.lines));
  return (
    <>
      <Text size="sm" c="dimmed" maw="90ch">
        {t(
          'This page counts purchases in the month they were made. The month-end files count them in the month they were booked.',
        )}
        {!isElsewhere && <> {t('That’s usually seconds later.')}</>}
        {data !== undefined && !data.isClosed && (
          <>
            {' '}
            {t('The month isn’t over. The files end at')} <When at={data.asOf} precision="second" />.
          </>
        )}
      </Text>
      {!isShown && (
        <Box>
          <Button variant="default" onClick={ask}>
            {t('Reconcile')}
          </Button>
        </Box>
      )}
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t reconcile the month')}
          onRetry={() => void asked.refetch()}
        />
      )}
      {isShown && data === undefined && error === null && <LateSkeleton lines={4} />}
      {data !== undefined && <Compared lines={data.lines} month={month} isElsewhere={isElsewhere} />}
    </>
  );
}

interface ComparedProps {
  lines: readonly ReconciledLine[];
  month: string;
}

/** Table of the comparison. It is shown only on request if the page already says that the files contain none of the purchases. */
function Compared({ isElsewhere, ...compared }: ComparedProps & { isElsewhere: boolean }) {
  const [isOpen, setOpen] = useState(false);
  if (!isElsewhere) return <Differences {...compared} />;
  return (
    <>
      <Box>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Hide reconciliation') : t('Show reconciliation')}
        </Button>
      </Box>
      {isOpen && <Differences {...compared} />}
    </>
  );
}

function Differences({ lines, month }: ComparedProps) {
  const isNarrow = useNarrow();
  const all = byCurrency(lines);
  const differing = all.filter((each) => kinds.some((kind) => isDifferent(each[kind])));
  const same = all.filter((each) => !differing.includes(each)).map(({ currency }) => currency);
  if (differing.length === 0) return <Text size="sm">{t('All amounts match.')}</Text>;
  return (
    <>
      {isNarrow ? <Stacked all={differing} month={month} /> : <Wide all={differing} month={month} />}
      {same.length > 0 && (
        <Text size="sm">
          {t('The amounts in {currencies} match.', {
            currencies: new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(same),
          })}
        </Text>
      )}
      {differing.some(({ earned }) => earned.onlyFilesMinor === null) && (
        <Text size="sm">{t('Too many purchases were recorded late to list the differences in Earned.')}</Text>
      )}
    </>
  );
}

/** Names an amount after what the files count. */
const nameOf = (kind: Kind): string =>
  ({
    earned: t('Earned'),
    reversed: t('Reversed'),
    bounties: t('Bounties'),
    paid: t('Added to payouts'),
  })[kind];

/** Explains in which cases an amount is only in the files, or only on the page. */
function Explanation({ kind, month }: { kind: Kind; month: string }) {
  switch (kind) {
    case 'earned':
      return t(
        'Only in the files: purchases from other months that were booked in {month}. Only on this page: purchases from {month} that were booked in another month.',
        { month },
      );
    case 'reversed':
      return (
        <>
          {t(
            'Only in the files: purchases from other months that were reversed in {month}. Only on this page: purchases from {month} that were reversed in another month.',
            { month },
          )}{' '}
          {t('In the files, the type is')} <Code>reversed</Code>
          {t(', or')} <Code>clawedBack</Code> {t('if it was already paid.')}
        </>
      );
    case 'bounties':
      return t('This page uses the completion date. The files use the booking date.');
    case 'paid':
      return t(
        'The files count amounts added to payouts in {month}, minus those canceled, failed, or returned. This page counts payouts marked as paid in {month}.',
        { month },
      );
  }
}

interface NameProps {
  kind: Kind;
  each: OfCurrency;
  all: readonly OfCurrency[];
  month: string;
}

/** Name of an amount. Where it first appears, a hint explains why it can be in only one of the two. */
function Name({ kind, each, all, month }: NameProps) {
  const first = all.find((other) => isDifferent(other[kind]));
  return (
    <>
      {nameOf(kind)}{' '}
      <Text span c="dimmed" size="sm">
        {each.currency}
      </Text>
      {first === each && (
        <Hint about={nameOf(kind)}>
          <Explanation kind={kind} month={monthName(month)} />
        </Hint>
      )}
    </>
  );
}

interface ComparedTable {
  all: readonly OfCurrency[];
  month: string;
}

function Wide({ all, month }: ComparedTable) {
  return (
    <Scroller label={t('Reconciliation with the month-end files')}>
      <Table className={classes.sums} aria-label={t('Reconciliation with the month-end files')}>
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
                  <Name {...{ kind, each, all, month }} />
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
const Stacked = ({ all, month }: ComparedTable): ReactNode =>
  all.map((each) => (
    <Table
      key={each.currency}
      className={classes.sums}
      aria-label={t('Reconciliation in {currency}', { currency: each.currency })}
    >
      {kinds
        .filter((kind) => isDifferent(each[kind]))
        .map((kind) => (
          <Table.Tbody key={kind}>
            <Table.Tr>
              <Table.Th scope="colgroup" colSpan={2} fw={600} c="var(--mantine-color-text)">
                <Name {...{ kind, each, all, month }} />
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
      {kind === 'paid' && column === 'pageMinor' && (
        <Text span size="xs" c="dimmed">
          {t('marked as paid:')}{' '}
        </Text>
      )}
      <Money minor={minor} currency={each.currency} isSigned />
      {!isTotal && (
        <Text size="xs" c="dimmed">
          {reasonOf(kind, column)}
        </Text>
      )}
      {kind === 'reversed' && column === 'filesMinor' && each.clawedBackMinor !== '0' && (
        <Text size="xs" c="dimmed" fw={400}>
          {t('of which clawed back:')}{' '}
          <Money minor={each.clawedBackMinor} currency={each.currency} isSigned />
        </Text>
      )}
    </>
  );
}

/** Says why an amount is only in the files, or only on the page. No filter lists these rows, but the files contain them. */
const reasonOf = (kind: Kind, column: 'onlyFilesMinor' | 'onlyPageMinor'): string =>
  column === 'onlyFilesMinor'
    ? {
        earned: t('of other months’ purchases'),
        reversed: t('of other months’ purchases'),
        bounties: t('completed in other months'),
        paid: t('not marked as paid in the month'),
      }[kind]
    : {
        earned: t('booked in other months'),
        reversed: t('reversed in other months'),
        bounties: t('booked in other months'),
        paid: t('put into payouts in other months'),
      }[kind];

/** Returns the amounts of a currency that aren't zero in all columns. */
const kindsOf = (each: OfCurrency): readonly Kind[] =>
  kinds.filter((kind) => isDifferent(each[kind]) || each[kind].pageMinor !== '0');
