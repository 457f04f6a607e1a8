import { ActionIcon, Box, Checkbox, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { GroupPreview } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Money, unknown } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { DueSums, DueSumsHead, owedIn, waitingIn } from './due-totals.tsx';
import classes from './payouts.module.css';
import { PlannedFor } from './planned-for.tsx';
import { type Offer, offersOf, type RunPreview, type useChoice } from './use-run-preview.ts';

/** Maximum number of currencies that have a column of their own. */
const maxColumns = 5;

interface RunGroupsProps {
  preview: RunPreview;
  choice: ReturnType<typeof useChoice>;
}

/** Groups of the preview, one row each. A row opens to show its currencies, with the amounts that wait. */
export function RunGroups({ preview: { groups, asOf }, choice }: RunGroupsProps) {
  const isNarrow = useNarrow();
  const { offers, chosen } = choice;
  const all = [...new Set(offers.map(({ currency }) => currency))].sort();
  const shown = isNarrow || all.length > maxColumns ? [] : all;
  return (
    <Scroller label={t('Due by group and currency')}>
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
            {shown.map((currency) => (
              <Table.Th key={currency} scope="col" className={classes.due}>
                {t('Due in {currency}', { currency })}
              </Table.Th>
            ))}
            {shown.length === 0 && (
              <Table.Th scope="col" className={classes.due}>
                {t('Due')}
              </Table.Th>
            )}
            <Table.Th className={classes.opener} aria-label={t('Details')} />
          </Table.Tr>
        </Table.Thead>
        {groups.map((group) => (
          <OfGroup key={group.groupId} group={group} asOf={asOf} choice={choice} columns={shown} />
        ))}
      </Table>
    </Scroller>
  );
}

interface OfGroupProps {
  group: GroupPreview;
  asOf: string;
  choice: RunGroupsProps['choice'];
  /** Currencies that have a column of their own; empty if there are too many. */
  columns: readonly string[];
}

function OfGroup({ group, asOf, choice, columns }: OfGroupProps) {
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const { groupId, name, plannedFor, totals, problem } = group;
  const offers = offersOf(group);
  const chosen = offers.filter(choice.isChosen);
  const note =
    problem !== null ? (
      <NoPreview problem={problem} />
    ) : offers.length === 0 ? (
      <Text size="sm" c="dimmed">
        {t('No amounts due')}
      </Text>
    ) : null;
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
              {isNarrow && note}
            </Box>
          </Group>
        </Table.Th>
        {note === null && columns.length > 0 ? (
          columns.map((currency) => (
            <Table.Td key={currency} className={classes.due}>
              <Due
                offer={offers.find((each) => each.currency === currency)}
                isChosen={choice.isChosen}
                isBare
              />
            </Table.Td>
          ))
        ) : (
          <Table.Td colSpan={columns.length || 1} className={classes.due}>
            {note === null ? <Amounts offers={offers} isChosen={choice.isChosen} /> : !isNarrow && note}
          </Table.Td>
        )}
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
          <Table.Td colSpan={2 + (columns.length || 1)} className={classes.opened}>
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

interface DueProps {
  offer: Offer | undefined;
  isChosen(offer: Offer): boolean;
  isBare?: boolean;
}

/** Amount due in a group and currency. If the person left it out, it is dimmed. */
function Due({ offer, isChosen, isBare = false }: DueProps) {
  if (offer === undefined)
    return (
      <Text span size="sm" c="dimmed">
        {unknown}
      </Text>
    );
  return (
    <Text span size="sm" {...(!isChosen(offer) && { c: 'dimmed', td: 'line-through' })}>
      <Money minor={offer.totalMinor} currency={offer.currency} isBare={isBare} />
    </Text>
  );
}

/** All amounts due in a group, one for each currency. On a phone, they are below each other, so that they can be compared. */
const Amounts = ({ offers, isChosen }: { offers: readonly Offer[]; isChosen(offer: Offer): boolean }) => (
  <Box className={classes.amounts}>
    {offers.map((offer) => (
      <Due key={offer.currency} offer={offer} isChosen={isChosen} />
    ))}
  </Box>
);

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
