import { Alert, List, Stack, Text } from '@mantine/core';
import type { RowOutcome, TransactionDetail } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

export interface RowOutcomes {
  rows: readonly RowOutcome[];
  /** Service's message about why the reversal stopped; null if every row was reversed. */
  message: string | null;
}

/** Outcome of each row of a reversed purchase. */
export function Outcomes({ outcomes, detail }: { outcomes: RowOutcomes; detail: TransactionDetail }) {
  const { rows, message } = outcomes;
  const words: Readonly<Record<string, string>> = {
    updated: t('reversed'),
    'paid-out': t('already paid out, unchanged'),
    'not-reached': t('not reached, unchanged'),
  };
  return (
    <Alert
      role="alert"
      color={message === null ? 'green' : 'orange'}
      icon={<Icon name={message === null ? 'check' : 'alert'} />}
      title={message === null ? t('Reversed') : t('Partly reversed')}
    >
      <Stack gap="xs">
        {message !== null && <Text size="sm">{message}</Text>}
        <List size="sm" aria-label={t('Outcome of each row')}>
          {rows.map(({ attributionId, outcome }) => {
            const row = detail.rows.find((each) => each.row.attributionId === attributionId)?.row;
            return (
              <List.Item key={attributionId}>
                {row === undefined
                  ? attributionId
                  : `${row.creator.name}, ${formatMoney(row.subtotalMinor, row.currency)}`}
                : {words[outcome] ?? outcome}
              </List.Item>
            );
          })}
        </List>
      </Stack>
    </Alert>
  );
}
