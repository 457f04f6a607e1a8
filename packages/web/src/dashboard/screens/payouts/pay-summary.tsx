import { Stack, Text } from '@mantine/core';
import type { Payout, PayoutWithoutFile } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { Caution } from './caution.tsx';
import { ListThem, listOf } from './list-them.tsx';
import { PayoutTotals, TotalTable } from './total-table.tsx';
import { totalsByCurrency } from './use-run-preview.ts';
import { useWithoutFile } from './use-without-file.ts';

interface PaySummaryProps {
  /** Payouts to be marked as paid. The question names the total of a single one. */
  payouts: readonly Payout[];
  onClose(): void;
}

/**
 * Amounts that are marked as paid, and a caution about payments that no payment file contains, so that they aren't marked
 * as paid without having been paid.
 */
export function PaySummary({ payouts, onClose }: PaySummaryProps) {
  const { data, error, refetch } = useWithoutFile(payouts);
  const totals = totalsByCurrency(payouts);
  const notInFile = data?.map(({ currency, sumMinor: totalMinor }) => ({ currency, totalMinor })) ?? [];
  return (
    <Stack gap="xs">
      {payouts.length > 1 ? (
        <PayoutTotals totals={totals} notInFile={notInFile} />
      ) : (
        notInFile.length > 0 && (
          <TotalTable
            counts={[t('Payments')]}
            rows={payouts.map((payout) => ({ ...payout, counts: [payout.memberCount] }))}
            notInFile={notInFile}
          />
        )
      )}
      <Text size="sm">
        {t(
          'Confirm only after your bank or provider has sent the money. Creators are then notified, and their purchases show as paid.',
        )}
      </Text>
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t check the payment files')}
          onRetry={() => void refetch()}
        />
      )}
      {error === null && data === undefined && (
        <Text size="sm" c="dimmed" role="status">
          {t('Checking which payments are in a payment file…')}
        </Text>
      )}
      {error === null && data !== undefined && data.length > 0 && (
        <WithoutFile
          found={data}
          of={payouts.reduce((sum, each) => sum + each.memberCount, 0)}
          onClose={onClose}
        />
      )}
    </Stack>
  );
}

/** Maximum number of creators that are named. */
const maxNamed = 3;

interface WithoutFileProps {
  found: readonly PayoutWithoutFile[];
  /** Number of all payments. */
  of: number;
  onClose(): void;
}

function WithoutFile({ found, of, onClose }: WithoutFileProps) {
  const count = found.reduce((sum, { lineCount }) => sum + lineCount, 0);
  const known = [...new Set(found.flatMap(({ names }) => names))];
  const areMore = known.length > maxNamed || found.some(({ lineCount, names }) => lineCount > names.length);
  // A creator may be in several of the payouts, so the others can't be counted.
  const names = listOf([...known.slice(0, maxNamed), ...(areMore ? [t('others')] : [])]);
  return (
    <>
      <Caution>
        {count === of
          ? t(
              '{count, plural, one {This payment isn’t in a payment file: {names}.} other {None of these # payments is in a payment file: {names}.}}',
              { count, names },
            )
          : t(
              '{count} of these {of} payments {count, plural, one {isn’t} other {aren’t}} in a payment file: {names}.',
              { count, of, names },
            )}{' '}
        {t(
          'Mark {count, plural, one {it} other {them}} as paid only if you paid {count, plural, one {it} other {them}} another way.',
          {
            count,
          },
        )}
      </Caution>
      <Text size="sm">
        {t(
          'Otherwise, set the result to Failed first so that the next payout pays {count, plural, one {it} other {them}}.',
          {
            count,
          },
        )}{' '}
        <ListThem
          places={found.map(({ payoutId, number }) => ({
            name: t('Payout {number}', { number: String(number) }),
            screen: `payouts/${payoutId}`,
            query: { file: 'none' },
          }))}
          onFollow={onClose}
        />
      </Text>
    </>
  );
}
