import { Alert, Code, List, Progress, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { LedgerVerification } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { msg, t } from '../../../ui/text.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';

export function Verifications({ page }: { page: UseQueryResult<PageOf<LedgerVerification>, unknown> }) {
  return (
    <>
      <DataTable
        label={t('Ledger verifications')}
        columns={columns()}
        page={page}
        rowKey={({ verificationId }) => verificationId}
        rowName={({ requestedBy }) => t('the verification requested by {name}', { name: requestedBy.name })}
        empty={
          <EmptyState icon="ledger" title={t('No verifications yet')}>
            {t('The first one checks every balance. You can keep working while it runs.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={t('Ledger verification')}>
        {(key) => {
          const found = page.data?.rows.find(({ verificationId }) => verificationId === key);
          return found === undefined ? (
            <Text>{t('This verification is no longer stored.')}</Text>
          ) : (
            <Verification verification={found} />
          );
        }}
      </DetailDrawer>
    </>
  );
}

const words: Readonly<Record<LedgerVerification['status'], readonly [Tone, string]>> = {
  Waiting: ['waiting', msg('Queued')],
  Running: ['running', msg('Running')],
  Sound: ['good', msg('Passed')],
  NotExplained: ['bad', msg('Discrepancy')],
  Failed: ['bad', msg('Failed')],
};

export function VerificationStatus({ status }: { status: LedgerVerification['status'] }) {
  const [tone, word] = words[status];
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>;
}

const columns = (): Column<LedgerVerification>[] => [
  {
    id: 'at',
    header: t('Requested'),
    cell: ({ requestedAt }) => <When at={requestedAt} />,
  },
  {
    id: 'by',
    header: t('Requested by'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ requestedBy }) => requestedBy.name,
  },
  {
    id: 'what',
    header: t('Scope'),
    tone: 'quiet',
    hiddenBelow: 'md',
    cell: ({ looksAtAll }) => (looksAtAll ? t('All balances') : t('Recent changes')),
  },
  { id: 'status', header: t('Result'), cell: ({ status }) => <VerificationStatus status={status} /> },
  {
    id: 'rows',
    header: t('Transactions read'),
    tone: 'quiet',
    align: 'end',
    cell: (verification) => <RowsRead verification={verification} />,
  },
];

function RowsRead({ verification: { status, rowsRead, ofRows } }: { verification: LedgerVerification }) {
  if (status !== 'Running' || ofRows === null) return formatCount(rowsRead);
  const percent = ofRows === 0 ? 0 : Math.min(99, Math.floor((100 * rowsRead) / ofRows));
  return (
    <Stack gap={2} miw={120}>
      <Progress value={percent} aria-label={t('Verification progress')} />
      <Text size="xs">
        {t('{rows} of about {all}', { rows: formatCount(rowsRead), all: formatCount(ofRows) })}
      </Text>
    </Stack>
  );
}

function Verification({ verification }: { verification: LedgerVerification }) {
  const { status, finding, failure, looked, startedAt, endedAt, requestedBy, requestedAt } = verification;
  return (
    <Stack align="stretch">
      <Stack gap={4} align="flex-start">
        <VerificationStatus status={status} />
        <Text size="sm">
          {t('Requested by {name}', { name: requestedBy.name })}, <When at={requestedAt} precision="second" />
        </Text>
        {startedAt !== null && (
          <Text size="sm">
            {t('Started')} <When at={startedAt} precision="second" />
            {endedAt !== null && (
              <>
                {', '}
                {t('ended')} <When at={endedAt} precision="second" />
              </>
            )}
          </Text>
        )}
      </Stack>
      {finding !== null && (
        <Alert color="red" title={t('First discrepancy')}>
          <Stack gap="xs">
            <Code block tabIndex={0}>
              {finding.place}
            </Code>
            <Text size="sm">{t('Violated rule: {rule}.', { rule: finding.rule })}</Text>
            {finding.rows.length > 0 && (
              <>
                <Text size="sm">{t('Some of the transactions:')}</Text>
                <List size="sm">
                  {finding.rows.map((row) => (
                    <List.Item key={row}>
                      <Code>{row}</Code>
                    </List.Item>
                  ))}
                </List>
              </>
            )}
          </Stack>
        </Alert>
      )}
      {failure !== null && (
        <Alert color="red" title={t('The verification failed')}>
          {failure}
        </Alert>
      )}
      {looked !== null && (
        <Text size="sm">
          {t(
            'Checked {days} of {ofDays} days, {payouts} of {ofPayouts} payouts, {rows} transactions, {entries} entries, and {balances} balances.',
            Object.fromEntries(
              Object.entries(looked).map(([name, count]) => [name, formatCount(Number(count))]),
            ),
          )}{' '}
          {looked.days < looked.ofDays && t('Everything else hasn’t changed since it last passed.')}
        </Text>
      )}
    </Stack>
  );
}
