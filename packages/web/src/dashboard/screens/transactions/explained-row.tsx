import { Group, Stack, Table, Text, Title } from '@mantine/core';
import type { ExplainedRow as Explained } from '../../../client/types.gen.ts';
import { arithmetic, roundingRule } from '../../../ui/arithmetic.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { Until, When } from '../../../ui/when.tsx';
import { HoldNote } from '../../holds/hold-note.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import classes from './explained-row.module.css';
import { actionName, entryNames, ruleNames } from './names.ts';
import { RowState } from './row-state.tsx';

interface ExplainedRowProps {
  explained: Explained;
  /** True if the purchase has other rows, so that its head doesn't show this row's state. */
  hasState: boolean;
}

/** One row of a purchase: its creator, the explanation of its share, and its ledger entries. */
export function ExplainedRow({ explained, hasState }: ExplainedRowProps) {
  const { row, state, explanation, hold } = explained;
  const name = t('Why {creator} earns {share}', {
    creator: row.creator.name,
    share: formatMoney(explanation.shareMinor, explanation.currency),
  });
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Group justify="space-between">
        <Title order={3} size="h5" tabIndex={-1} data-explanation>
          <ScreenLink screen="creators" query={{ open: row.creator.memberId }}>
            {row.creator.name}
          </ScreenLink>{' '}
          <Text span c="dimmed" size="sm">
            {explanation.usesPlayerCode ? t('{code}, entered earlier by the player', row) : row.code}
          </Text>
        </Title>
        {hasState && <RowState explained={explained} />}
      </Group>
      <Rules explained={explained} label={name} />
      <Text size="sm" className={classes.arithmetic}>
        {arithmetic(explanation)}
      </Text>
      {explanation.exact !== explanation.shareMinor && (
        <Text size="xs" c="dimmed">
          {roundingRule()}
        </Text>
      )}
      {state === 'test' && (
        <Text size="sm" c="dimmed">
          {t('Test purchases are never paid out.')}
        </Text>
      )}
      {hold !== null && <HoldNote hold={hold} />}
      <MoneyTrail explained={explained} />
    </Stack>
  );
}

/**
 * Table of the six rules as they were when the row was recorded. The first rule that had a percentage is the
 * one that applied.
 */
function Rules({ explained: { explanation }, label }: { explained: Explained; label: string }) {
  const isNarrow = useNarrow();
  return (
    <Table aria-label={label} className={classes.rules}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Rule')}</Table.Th>
          {!isNarrow && <Table.Th scope="col">{t('Source')}</Table.Th>}
          <Table.Th scope="col" ta="end">
            {t('Share')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {explanation.offers.map(({ rule, percent, sourceId, sourceName }, index) => {
          const isWinner = rule === explanation.rule;
          return (
            <Table.Tr key={rule} data-winner={isWinner || undefined}>
              <Table.Th scope="row" fw={isWinner ? 700 : 400}>
                {index + 1}. {ruleNames()[rule] ?? rule}
                {isWinner && (
                  <Text span size="sm" fw={600}>
                    {' '}
                    <Icon name="check" size={12} /> {t('applied')}
                  </Text>
                )}
                {isNarrow && (
                  <Text size="sm" c="dimmed" className={classes.source}>
                    <Source name={sourceName ?? sourceId ?? ''} />
                  </Text>
                )}
              </Table.Th>
              {!isNarrow && (
                <Table.Td className={classes.source}>
                  <Source name={sourceName ?? sourceId ?? ''} />
                </Table.Td>
              )}
              <Table.Td ta="end">{percent === null ? t('None') : formatPercent(percent)}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

/** Source of a percentage. A schedule is named after its window in the reader's time zone. */
function Source({ name }: { name: string }) {
  const [startsAt = '', endsAt] = name.split(' – ');
  if (endsAt === undefined || Number.isNaN(Date.parse(startsAt)) || Number.isNaN(Date.parse(endsAt)))
    return name;
  return (
    <>
      <When at={startsAt} /> <Until at={endsAt} />
    </>
  );
}

function MoneyTrail({ explained }: { explained: Explained }) {
  const { row, payment, ledger, refunds } = explained;
  return (
    <>
      {ledger.length > 0 && (
        <Table aria-label={t('Ledger entries for {creator}', { creator: row.creator.name })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Ledger entry')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('Amount')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ledger.map((entry) => (
              <Table.Tr key={`${entry.kind} ${entry.at}`}>
                <Table.Td>
                  {entryNames()[entry.kind] ?? entry.kind}, <When at={entry.at} />
                  {entry.amountMinor !== ownMinor(entry, explained) && (
                    <Text size="xs" c="dimmed">
                      {t('part of an entry of {amount} for several purchases', {
                        amount: formatMoney(entry.amountMinor, row.currency),
                      })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end">
                  <Money minor={ownMinor(entry, explained)} currency={row.currency} isSigned />
                </Table.Td>
              </Table.Tr>
            ))}
            <Net explained={explained} />
          </Table.Tbody>
        </Table>
      )}
      <Facts
        facts={[
          // The others are listed as reversals of the purchase.
          ...refunds
            .filter(({ reversesMoney }) => !reversesMoney)
            .map(
              (refund) =>
                [
                  t('{action}: repeated, no effect', { action: actionName(refund.action) }),
                  <span key={refund.at}>
                    <When at={refund.at} precision="second" />
                    {refund.refundId !== null && ` · ${refund.refundId}`}
                  </span>,
                ] as const,
            ),
          ...(payment?.payout
            ? ([
                [
                  t('Payout'),
                  <ScreenLink key="payout" screen={`payouts/${payment.payout.payoutId}`}>
                    {t('View payout')}
                  </ScreenLink>,
                ],
              ] as const)
            : []),
          ...(payment?.paidAt ? ([[t('Paid'), <When key="paid" at={payment.paidAt} />]] as const) : []),
        ]}
      />
    </>
  );
}

/** Returns the row's part of a ledger entry. Purchases that were posted together have one entry. */
const ownMinor = (
  { amountMinor, isOfRowAlone }: Explained['ledger'][number],
  { explanation }: Explained,
): string => (isOfRowAlone ? amountMinor : explanation.shareMinor);

/** Sum of this row's entries, which is what the creator keeps. */
function Net({ explained }: { explained: Explained }) {
  const { row, ledger } = explained;
  if (!ledger.some(({ kind }) => kind === 'payment')) return null;
  const net = ledger.reduce((sum, entry) => sum + BigInt(ownMinor(entry, explained)), 0n);
  return (
    <Table.Tr>
      <Table.Th scope="row">{t('Net')}</Table.Th>
      <Table.Td ta="end" fw={600}>
        <Money minor={String(net)} currency={row.currency} isSigned />
      </Table.Td>
    </Table.Tr>
  );
}
