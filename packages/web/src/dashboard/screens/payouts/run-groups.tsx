import { ActionIcon, Box, Checkbox, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { GroupPreview } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { FigureLink } from '../../figure-link.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { DueSums, DueSumsHead, owedIn, waitingIn } from './due-totals.tsx';
import classes from './payouts.module.css';
import { PlannedFor } from './planned-for.tsx';
import { type Offer, offersOf, type RunPreview, type useChoice } from './use-run-preview.ts';

/** Maximum number of currencies whose amounts have a place of their own. */
const maxAligned = 6;

interface RunGroupsProps {
  preview: RunPreview;
  choice: ReturnType<typeof useChoice>;
}

/** Groups of the preview, one row each. A row opens to show its currencies, with the amounts that wait. */
export function RunGroups({ preview: { groups, asOf }, choice }: RunGroupsProps) {
  const isNarrow = useNarrow();
  const { offers, chosen } = choice;
  const all = [...new Set(offers.map(({ currency }) => currency))].sort();
  const columns = all.length > maxAligned ? [] : all;
  return (
    <Box className={classes.scroller}>
      <Table className={classes.groups} aria-label={t('Due by group and currency')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              {offers.length === 0 ? (
                t('Group')
              ) : (
                <Checkbox
                  label={t('All groups and currencies')}
                  checked={chosen.length === offers.length}
                  indeterminate={chosen.length > 0 && chosen.length < offers.length}
                  onChange={({ currentTarget: { checked } }) => choice.choose(offers, checked)}
                />
              )}
            </Table.Th>
            {!isNarrow && (
              <Table.Th scope="col" className={classes.due}>
                {t('Due')}
              </Table.Th>
            )}
            <Table.Th className={classes.opener} aria-label={t('Details')} />
          </Table.Tr>
        </Table.Thead>
        {groups.map((group) => (
          <OfGroup key={group.groupId} group={group} asOf={asOf} choice={choice} columns={columns} />
        ))}
      </Table>
    </Box>
  );
}

interface OfGroupProps {
  group: GroupPreview;
  asOf: string;
  choice: RunGroupsProps['choice'];
  /** Currencies whose amounts line up in all groups; empty if there are too many. */
  columns: readonly string[];
}

function OfGroup({ group, asOf, choice, columns }: OfGroupProps) {
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const { groupId, name, plannedFor, totals, problem } = group;
  const offers = offersOf(group);
  const chosen = offers.filter(choice.isChosen);
  const due =
    problem !== null ? (
      <NoPreview problem={problem} />
    ) : offers.length === 0 ? (
      <Text size="sm" c="dimmed">
        {t('No amounts due')}
      </Text>
    ) : (
      <Amounts offers={offers} asOf={asOf} isChosen={choice.isChosen} columns={isNarrow ? [] : columns} />
    );
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="row">
          <Group gap="sm" wrap="nowrap">
            {offers.length > 0 && (
              <Checkbox
                aria-label={t('Pay {group}', { group: name })}
                checked={chosen.length === offers.length}
                indeterminate={chosen.length > 0 && chosen.length < offers.length}
                onChange={({ currentTarget: { checked } }) => choice.choose(offers, checked)}
              />
            )}
            <Box>
              <Group gap="sm">
                <ScreenLink screen="payouts" query={{ group: groupId, ...(problem === null && { asOf }) }}>
                  {name}
                </ScreenLink>
                <PlannedFor day={plannedFor} />
              </Group>
              {isNarrow && due}
            </Box>
          </Group>
        </Table.Th>
        {!isNarrow && <Table.Td>{due}</Table.Td>}
        <Table.Td className={classes.opener}>
          {totals.length > 0 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-expanded={isOpen}
              aria-label={t('Show {group} by currency', { group: name })}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'up' : 'down'} size={16} />
            </ActionIcon>
          )}
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={isNarrow ? 2 : 3} className={classes.opened}>
            <ByCurrency group={group} asOf={asOf} choice={choice} offers={offers} />
          </Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}

const NoPreview = ({ problem: { message } }: { problem: { message: string } }) => (
  <Text size="sm">{t('Not previewed: {reason}', { reason: message })}</Text>
);

interface AmountsProps {
  offers: readonly Offer[];
  asOf: string;
  isChosen(offer: Offer): boolean;
  columns: readonly string[];
}

/** Amounts due in a group, one for each currency. Those that the person left out are dimmed. */
function Amounts({ offers, asOf, isChosen, columns }: AmountsProps) {
  const currencies = columns.length > 0 ? columns : offers.map(({ currency }) => currency);
  return (
    <Box className={classes.amounts}>
      {currencies.map((currency) => {
        const offer = offers.find((each) => each.currency === currency);
        if (offer === undefined) return <span key={currency} />;
        return (
          <Text
            key={currency}
            span
            size="sm"
            fw={600}
            {...(!isChosen(offer) && { c: 'dimmed', td: 'line-through' })}
          >
            <FigureLink screen="payouts" query={{ group: offer.groupId, asOf, currency, state: 'due' }}>
              <Money minor={offer.totalMinor} currency={currency} />
            </FigureLink>
          </Text>
        );
      })}
    </Box>
  );
}

function ByCurrency({
  group: { groupId, name, totals },
  asOf,
  choice,
  offers,
}: Omit<OfGroupProps, 'columns'> & { offers: readonly Offer[] }) {
  const waiting = waitingIn(totals);
  return (
    <Table className={classes.sums} aria-label={t('{group} by currency', { group: name })}>
      <DueSumsHead first={t('Currency')} waiting={waiting} hasTotal />
      <Table.Tbody>
        {totals.map((each) => {
          const offer = offers.find(({ currency }) => currency === each.currency);
          return (
            <DueSums
              key={each.currency}
              totals={each}
              place={{ group: groupId, asOf }}
              waiting={waiting}
              total={owedIn(each)}
              choice={
                offer && {
                  label: t('Pay {group} in {currency}', { group: name, currency: each.currency }),
                  isChosen: choice.isChosen(offer),
                  onChoose: (isWanted) => choice.choose([offer], isWanted),
                }
              }
            />
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
