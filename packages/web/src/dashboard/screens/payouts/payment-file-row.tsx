import { Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { downloadPaymentFile } from '../../../client/sdk.gen.ts';
import type { PaymentFile } from '../../../client/types.gen.ts';
import { DateInput } from '../../../ui/dates/date-input.tsx';
import { Money } from '../../../ui/money.tsx';
import { asBlob } from '../../../ui/save-file.ts';
import { t } from '../../../ui/text.ts';
import { kindWord } from '../../payees/method-note.tsx';
import { usePublisher } from '../../session/session.ts';
import { FetchButton } from './fetch-button.tsx';

interface PaymentFileRowProps {
  file: PaymentFile;
  payoutId: string;
  currency: string;
}

/** Payment file with its download. For a bank, a person can choose the day on which the bank pays. */
export function PaymentFileRow({ file, payoutId, currency }: PaymentFileRowProps) {
  const { publisherId } = usePublisher();
  const { kind, part, fileName, lineCount, sumMinor, sha256 } = file;
  const [day, setDay] = useState({ value: '', typed: '' });
  const isComplete = day.value !== '' || day.typed.trim() === '';
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <div style={{ minInlineSize: 0 }}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {fileName}
          </Text>
          <Text size="xs" c="dimmed">
            {kindWord(kind)} ·{' '}
            {t('{count, plural, one {# payment} other {# payments}}', { count: lineCount })} ·{' '}
            <Money minor={sumMinor} currency={currency} />
          </Text>
        </div>
        <FetchButton
          fileName={fileName}
          disabled={!isComplete}
          fetchFile={() =>
            downloadPaymentFile({
              path: { publisherId, payoutId, kind, part: String(part) },
              query: day.value === '' ? {} : { executionDay: day.value },
              ...asBlob,
            })
          }
        />
      </Group>
      {kind === 'sepa' && (
        <DateInput
          label={t('Bank payment date')}
          description={t('Leave empty for the day the payout was created.')}
          value={day.value}
          maw={320}
          mt="xs"
          mb={4}
          onChange={(value, typed) => setDay({ value, typed })}
        />
      )}
      {day.value === '' ? (
        <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
          SHA-256 <Code>{sha256}</Code>
        </Text>
      ) : (
        <Text size="xs" c="dimmed">
          {t('The audit log has the SHA-256 of files with another date.')}
        </Text>
      )}
    </div>
  );
}
