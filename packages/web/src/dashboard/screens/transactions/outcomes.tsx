import { Alert, List, Stack } from '@mantine/core';
import type { RowOutcome, TransactionDetail } from '../../../client/types.gen.ts';
import { ErrorText } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

export interface RowOutcomes {
  rows: readonly RowOutcome[];
  /** Error that stopped the reversal; null if every row was reversed. */
  error: unknown;
}

export function Outcomes({ outcomes, detail }: { outcomes: RowOutcomes; detail: TransactionDetail }) {
  const { rows, error } = outcomes;
  const words: Readonly<Record<string, string>> = {
    updated: t('reversed'),
    'paid-out': t('already paid out, not changed'),
    'not-reached': t('not reached, not changed'),
  };
  return (
    <Alert
      role="alert"
      color={error === null ? 'green' : 'orange'}
      icon={<Icon name={error === null ? 'check' : 'alert'} />}
      title={error === null ? t('Reversed') : t('Partly reversed')}
    >
      <Stack gap="xs">
        {error !== null && <ErrorText error={error} />}
        <List size="sm" aria-label={t('Result for each transaction')}>
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
