import { Button, Checkbox, Group, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PreviewSum, PreviewTotals } from '../../../client/types.gen.ts';
import { Hint } from '../../../ui/hint.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { FigureLink } from '../../figure-link.tsx';
import classes from './payouts.module.css';

/**
 * Totals by currency. Amounts in different currencies are never added together.
 * @param place group and cutoff of the preview
 */
export function DueTotals({ totals, place }: { totals: readonly PreviewTotals[]; place: DuePlace }) {
  const waiting = waitingIn(totals);
  const { isBrief, toggle } = useBrief(waiting);
  if (totals.length === 0) return null;
  return (
    <Scroller label={t('Totals by currency')}>
      <Table aria-label={t('Totals by currency')} className={classes.sums}>
        <DueSumsHead first={t('Currency')} waiting={waiting} hasTotal hasHints />
        <Table.Tbody>
          {totals.map((each) => (
            <DueSums
              key={each.currency}
              totals={each}
              place={place}
              waiting={waiting}
              isBrief={isBrief}
              total={owedIn(each)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {toggle}
    </Scroller>
  );
}

/**
 * On a phone, hides the amounts that aren't paid now until the reader asks for them, so that what is paid, and the list
 * below, are on the first screen.
 */
export function useBrief(waiting: readonly Waiting[]): { isBrief: boolean; toggle: ReactNode } {
  const isNarrow = useNarrow();
  const [isBrief, setBrief] = useState(true);
  if (!isNarrow) return { isBrief: false, toggle: null };
  const toggle = (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        mt="xs"
        rightSection={<Icon name={isBrief ? 'down' : 'up'} size={14} />}
        aria-expanded={!isBrief}
        onClick={() => setBrief(!isBrief)}
      >
        {isBrief ? t('Show amounts not paid now') : t('Hide amounts not paid now')}
      </Button>
      {!isBrief && (
        <Hint about={t('Amounts not paid now')}>
          {[...waiting.map((sum) => [nameOf(sum), definitionOf(sum)]), [t('Net owed'), netDefinition()]].map(
            ([name, definition]) => (
              <div key={name}>
                <b>{name}</b>: {definition}
              </div>
            ),
          )}
        </Hint>
      )}
    </>
  );
  return { isBrief, toggle };
}

/** Sums that are not paid now. */
const waitingSums = ['belowMinimum', 'blocked', 'repaying', 'onHold', 'later'] as const;
type Waiting = (typeof waitingSums)[number];

/** Returns the sums in which any creator has an amount. The others' columns would contain only zeros, and are left out. */
export const waitingIn = (totals: readonly PreviewTotals[]): readonly Waiting[] =>
  waitingSums.filter((sum) => totals.some((each) => each[sum].memberCount > 0));

/** Returns the net owed in a currency: the amounts due and all that wait, less what creators owe. */
export const owedIn = (totals: PreviewTotals): string =>
  String(
    [totals.due, ...waitingSums.map((sum) => totals[sum])].reduce(
      (sum, { totalMinor }) => sum + BigInt(totalMinor),
      0n,
    ),
  );

const nameOf = (sum: Waiting): string =>
  ({
    belowMinimum: t('Below minimum'),
    blocked: t('Blocked'),
    repaying: t('Overpaid'),
    onHold: t('On hold'),
    later: t('Not due yet'),
  })[sum];

/** Returns the definition of a sum. */
const definitionOf = (sum: Waiting): string =>
  ({
    belowMinimum: t('Less than the group’s minimum payout. Paid once it reaches the minimum.'),
    blocked: t('Waits until a review ends or a tax clearance is added.'),
    repaying: t(
      'More was clawed back than is due. Earnings that aren’t due yet offset part of it, as Balances shows.',
    ),
    onHold: t('Waits until the hold ends or is released.'),
    later: t('In the hold period, or earned after the cutoff.'),
  })[sum];

/** Definition of the sum of all columns. */
const netDefinition = (): string =>
  t('What you owe creators minus what they owe you: the total of this row, as on Balances.');

/**
 * Filter that lists a sum's creators. Part of the amounts on hold or for later belongs to creators who are also due, so
 * no filter lists exactly them.
 */
const stateOf = {
  belowMinimum: 'below-minimum',
  blocked: 'blocked',
  repaying: 'repaying',
  onHold: null,
  later: null,
} as const satisfies Record<Waiting, string | null>;

/** Group and cutoff of a preview, as in the URL. */
interface DuePlace {
  group: string | undefined;
  asOf?: string | undefined;
}

/** @param first header of the first column */
export function DueSumsHead({
  first,
  waiting,
  hasTotal = false,
  hasHints = false,
}: {
  first: string;
  waiting: readonly Waiting[];
  hasTotal?: boolean;
  /** True to define the sums. A screen's further tables don't repeat the definitions. */
  hasHints?: boolean;
}) {
  const isNarrow = useNarrow();
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{first}</Table.Th>
        <Table.Th scope="col">{t('Due')}</Table.Th>
        {!isNarrow &&
          waiting.map((sum) => (
            <Table.Th key={sum} scope="col">
              {nameOf(sum)}
              {hasHints && <Hint about={nameOf(sum)}>{definitionOf(sum)}</Hint>}
            </Table.Th>
          ))}
        {hasTotal && !isNarrow && (
          <Table.Th scope="col">
            {t('Net owed')}
            {hasHints && <Hint about={t('Net owed')}>{netDefinition()}</Hint>}
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}

/** Lets the person leave out a row's amounts. */
interface RowChoice {
  label: string;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}

/**
 * Row with the due and waiting amounts in one currency. On a phone, the waiting amounts are below the due
 * amount.
 */
export function DueSums({
  totals,
  choice,
  place,
  waiting,
  isBrief = false,
  total,
}: {
  totals: PreviewTotals;
  choice?: RowChoice | undefined;
  /** Preview that the sums link to; absent if no single preview has all of their rows. */
  place?: DuePlace | undefined;
  waiting: readonly Waiting[];
  /** True to show only the due amount. */
  isBrief?: boolean;
  /** Sum of all amounts, as on Balances. */
  total?: string | undefined;
}) {
  const isNarrow = useNarrow();
  const { currency, due } = totals;
  const others = waiting.map((sum) => [nameOf(sum), totals[sum], stateOf[sum]] as const);
  const name = (
    <Table.Th scope="row">
      {choice === undefined ? (
        currency
      ) : (
        <Checkbox
          label={currency}
          aria-label={choice.label}
          checked={choice.isChosen}
          onChange={({ currentTarget: { checked } }) => choice.onChoose(checked)}
        />
      )}
    </Table.Th>
  );
  const creatorsIn = (state: string | null) =>
    state === null || place === undefined ? null : { ...place, currency, state };
  const owed = total !== undefined && (
    <FigureLink screen="payouts/owed" query={{ group: place?.group, currency }}>
      <Money minor={total} currency={currency} isSigned />
    </FigureLink>
  );
  if (isNarrow)
    return (
      <Table.Tr>
        {name}
        <Table.Td>
          <Sum sum={due} currency={currency} creators={creatorsIn('due')} isMain />
          {others.map(
            ([name, { totalMinor, memberCount }, state]) =>
              !isBrief &&
              memberCount > 0 && (
                <Text key={name} size="xs" c="dimmed">
                  {name}:{' '}
                  <FigureLink screen="payouts" query={creatorsIn(state)}>
                    <Money minor={totalMinor} currency={currency} isSigned />
                  </FigureLink>
                </Text>
              ),
          )}
          {!isBrief && total !== undefined && (
            <Text size="xs" c="dimmed">
              {t('Net owed:')} {owed}
            </Text>
          )}
        </Table.Td>
      </Table.Tr>
    );
  return (
    <Table.Tr>
      {name}
      <Table.Td>
        <Sum sum={due} currency={currency} creators={creatorsIn('due')} isMain />
      </Table.Td>
      {others.map(([name, sum, state]) => (
        <Table.Td key={name}>
          <Sum sum={sum} currency={currency} creators={creatorsIn(state)} />
        </Table.Td>
      ))}
      {total !== undefined && <Table.Td>{owed}</Table.Td>}
    </Table.Tr>
  );
}

/** Amount with its number of creators. Without creators, it is only a dash, so that the others stand out. */
function Sum({
  sum: { totalMinor, memberCount },
  currency,
  creators,
  isMain = false,
}: {
  sum: PreviewSum;
  currency: string;
  /** Filters that list the sum's creators; null if there are none. */
  creators: Readonly<Record<string, string | undefined>> | null;
  isMain?: boolean;
}) {
  if (memberCount === 0)
    return (
      <Text component="span" size="sm" c="dimmed">
        {isMain ? <Money minor={totalMinor} currency={currency} /> : unknown}
      </Text>
    );
  return (
    <Group component="span" className={classes.sum}>
      <Text component="span" size="sm" fw={isMain ? 600 : 400}>
        <FigureLink screen="payouts" query={creators}>
          <Money minor={totalMinor} currency={currency} isSigned />
        </FigureLink>
      </Text>
      <Text component="span" size="xs" c="dimmed">
        {t('{count, plural, one {# creator} other {# creators}}', { count: memberCount })}
      </Text>
    </Group>
  );
}
