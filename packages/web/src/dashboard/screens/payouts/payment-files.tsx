import { Alert, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { listPaymentFilesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { downloadPaymentFile } from '../../../client/sdk.gen.ts';
import type { PaymentFile, Payout } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { kindWord } from '../../payees/method-note.tsx';
import { usePublisher } from '../../session/session.ts';

/** Lines without a file that are named; the rest are only counted. */
const maxNamed = 10;

/** Files of a payout for PayPal, Wise and banks, and the lines that are in none. */
export function PaymentFiles({ payout: { payoutId, currency, status } }: { payout: Payout }) {
  const { publisherId, may } = usePublisher();
  const isPayable = status === 'Created' || status === 'Paid';
  const { data, error, refetch } = useQuery({
    ...listPaymentFilesOptions({ path: { publisherId, payoutId } }),
    enabled: isPayable && may('payees'),
    staleTime: 60_000,
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.kinds.length === 0) return null;
  const { kinds, leftOut } = data;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Payment files')}>
      <Title order={2} size="h4" mb="sm">
        {t('Payment files')}
      </Title>
      <Stack gap="sm">
        {kinds.map(({ kind, lineCount, sumMinor, problem, files }) =>
          problem === null ? (
            files.map((file) => (
              <File key={`${kind} ${file.part}`} file={file} payoutId={payoutId} currency={currency} />
            ))
          ) : (
            <Alert key={kind} color="yellow" icon={<Icon name="alert" />} title={kindWord(kind)}>
              {t('{count, plural, one {# line} other {# lines}}', { count: lineCount })},{' '}
              {formatMoney(sumMinor, currency)}. {problem}
            </Alert>
          ),
        )}
        {leftOut.lineCount > 0 && (
          <Alert
            color="yellow"
            icon={<Icon name="alert" />}
            title={t('{count, plural, one {# line is} other {# lines are}} not in any file ({sum})', {
              count: leftOut.lineCount,
              sum: formatMoney(leftOut.sumMinor, currency),
            })}
          >
            {leftOut.lines
              .slice(0, maxNamed)
              .map(({ reference, name }) => `${reference} ${name}`)
              .join(', ')}
            {leftOut.lineCount > maxNamed && ', …'}
            <Text size="sm" mt={4}>
              {t(
                'These creators had no usable payout method when the payout was created. Pay them in another way, or set the lines to Failed, so that the next payout pays them.',
              )}
            </Text>
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}

function File({ file, payoutId, currency }: { file: PaymentFile; payoutId: string; currency: string }) {
  const { publisherId } = usePublisher();
  const { kind, part, fileName, lineCount, sumMinor, sha256 } = file;
  const download = useMutation({
    mutationFn: async () => {
      const { data } = await downloadPaymentFile({
        path: { publisherId, payoutId, kind, part: String(part) },
        parseAs: 'blob',
        throwOnError: true,
      });
      save(data as unknown as Blob, fileName);
    },
  });
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm" fw={500}>
            {fileName}
          </Text>
          <Text size="xs" c="dimmed">
            {kindWord(kind)} · {t('{count, plural, one {# line} other {# lines}}', { count: lineCount })} ·{' '}
            <Money minor={sumMinor} currency={currency} />
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          loading={download.isPending}
          leftSection={<Icon name="download" size={16} />}
          aria-label={t('Download {name}', { name: fileName })}
          onClick={() => download.mutate()}
        >
          {t('Download')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        SHA-256 <Code>{sha256}</Code>
      </Text>
      {download.error !== null && <ErrorNotice error={download.error} />}
    </div>
  );
}

/** Saves a file that was fetched. A plain link can't be used, because the request may ask to sign in again. */
function save(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
