import { Alert, Group, Paper, Stack, Title } from '@mantine/core';
import { exportPayoutWithPayees } from '../../../client/sdk.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { asBlob } from '../../../ui/save-file.ts';
import { t } from '../../../ui/text.ts';
import { kindWord } from '../../payees/method-note.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { FetchButton } from './fetch-button.tsx';
import { PaymentFileRow } from './payment-file-row.tsx';
import { usePaymentFiles } from './use-payment-files.ts';

/** Files of a payout for PayPal, Wise and banks, and the number of payments that aren't in any. */
export function PaymentFiles({ payout }: { payout: Payout }) {
  const { publisherId } = usePublisher();
  const { payoutId, currency } = payout;
  const { data, error, refetch } = usePaymentFiles(payout);
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the payment files')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined || data.kinds.length === 0) return null;
  const { kinds, leftOut } = data;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Payment files')}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h4">
          {t('Payment files')}
        </Title>
        <FetchButton
          label={t('CSV with accounts')}
          fileName={`payout-${currency}-${payoutId}-payees.csv`}
          fetchFile={() => exportPayoutWithPayees({ path: { publisherId, payoutId }, ...asBlob })}
        />
      </Group>
      <Stack gap="sm">
        {kinds.map(({ kind, lineCount, sumMinor, problem, files }) =>
          problem === null ? (
            files.map((file) => (
              <PaymentFileRow
                key={`${kind} ${file.part}`}
                file={file}
                payoutId={payoutId}
                currency={currency}
              />
            ))
          ) : (
            <Alert key={kind} color="yellow" icon={<Icon name="alert" />} title={kindWord(kind)}>
              {t('{count, plural, one {# payment} other {# payments}}', { count: lineCount })},{' '}
              {formatMoney(sumMinor, currency)}. {problem}
            </Alert>
          ),
        )}
        {leftOut.lineCount > 0 && (
          <Alert
            color="yellow"
            icon={<Icon name="alert" />}
            title={t(
              '{count, plural, one {# payment isn’t} other {# payments aren’t}} in a payment file ({sum})',
              {
                count: leftOut.lineCount,
                sum: formatMoney(leftOut.sumMinor, currency),
              },
            )}
          >
            {t(
              '{count, plural, one {It} other {They}} had no usable payout method, or {count, plural, one {exceeds} other {exceed}} a bank’s limit. Pay {count, plural, one {it} other {them}} another way, or set the result to Failed so that the next payout pays {count, plural, one {it} other {them}}.',
              { count: leftOut.lineCount },
            )}{' '}
            <ScreenLink screen={`payouts/${payoutId}`} query={{ file: 'none' }} isInText isPlain>
              {t('Show them')}
            </ScreenLink>
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
