import { Text } from '@mantine/core';
import type { Payout } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { Caution } from './caution.tsx';
import { listOf, NotInFile } from './not-in-file.tsx';
import { useWithoutFile } from './use-without-file.ts';

interface WithoutFileProps {
  /** Payouts to be marked as paid. */
  payouts: readonly Payout[];
  onClose(): void;
}

/** Maximum number of creators that are named. */
const maxNamed = 3;

/** Caution about payments that no payment file contains, so that they aren't marked as paid without having been paid. */
export function WithoutFile({ payouts, onClose }: WithoutFileProps) {
  const { data, error, refetch } = useWithoutFile(payouts);
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t check which payments are in no payment file')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t('Checking which payments are in a payment file…')}
      </Text>
    );
  const count = data.reduce((sum, { lineCount }) => sum + lineCount, 0);
  if (count === 0) return null;
  const of = payouts.reduce((sum, { memberCount }) => sum + memberCount, 0);
  const known = [...new Set(data.flatMap(({ names }) => names))];
  const areMore = known.length > maxNamed || data.some(({ lineCount, names }) => lineCount > names.length);
  // A creator may be in several of the payouts, so the others can't be counted.
  const names = listOf([...known.slice(0, maxNamed), ...(areMore ? [t('others')] : [])]);
  return (
    <Caution>
      <div>
        {count === of
          ? t(
              '{count, plural, one {This payment is in no payment file: {names}.} other {None of these # payments is in a payment file: {names}.}}',
              { count, names },
            )
          : t(
              '{count} of these {of} payments {count, plural, one {is} other {are}} in no payment file: {names}.',
              { count, of, names },
            )}
      </div>
      <NotInFile
        amounts={data.map(({ currency, sumMinor: totalMinor }) => ({ currency, totalMinor }))}
        places={data.map(({ payoutId, number }) => ({
          name: t('Payout {number}', { number: String(number) }),
          screen: `payouts/${payoutId}`,
          query: { file: 'none' },
        }))}
        onFollow={onClose}
      />
      <div>
        {t(
          'Only mark them as paid if you paid them another way. If you didn’t, first set their result to Failed, so that the next payout pays them.',
        )}
      </div>
    </Caution>
  );
}
