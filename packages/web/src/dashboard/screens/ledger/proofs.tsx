import { Alert, Code, List, Progress, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { LedgerVerification } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { msg, t } from '../../../ui/text.ts';
import type { PageOf } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';

/** What was asked for, how far it is, and what it found. */
export function Proofs({ page }: { page: UseQueryResult<PageOf<LedgerVerification>, unknown> }) {
  return (
    <>
      <DataTable
        label={t('Proofs of the ledger')}
        columns={columns()}
        page={page}
        rowKey={({ verificationId }) => verificationId}
        rowName={({ requestedBy }) => t('the proof that {name} asked for', { name: requestedBy.name })}
        empty={
          <EmptyState icon="ledger" title={t('No proof was asked for yet')}>
            {t('“Verify” proves every balance against every row, while the service goes on.')}
          </EmptyState>
        }
      />
      <DetailDrawer title={t('Proof of the ledger')}>
        {(key) => {
          const found = page.data?.rows.find(({ verificationId }) => verificationId === key);
          return found === undefined ? (
            <Text>{t('This proof is kept no more.')}</Text>
          ) : (
            <Proof proof={found} />
          );
        }}
      </DetailDrawer>
    </>
  );
}

const words: Readonly<Record<LedgerVerification['status'], readonly [Tone, string]>> = {
  Waiting: ['waiting', msg('Waits for a worker')],
  Running: ['running', msg('Running')],
  Sound: ['good', msg('Sound')],
  NotExplained: ['bad', msg('Not explained')],
  Failed: ['bad', msg('Stopped')],
};

function Status({ status }: { status: LedgerVerification['status'] }) {
  const [tone, word] = words[status];
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>;
}

const columns = (): Column<LedgerVerification>[] => [
  {
    id: 'at',
    header: t('Asked for'),
    cell: ({ requestedAt }) => <When at={requestedAt} />,
  },
  { id: 'by', header: t('By'), hiddenBelow: 'sm', cell: ({ requestedBy }) => requestedBy.name },
  {
    id: 'what',
    header: t('Looks at'),
    hiddenBelow: 'md',
    cell: ({ looksAtAll }) => (looksAtAll ? t('everything') : t('what has moved')),
  },
  { id: 'status', header: t('Result'), cell: ({ status }) => <Status status={status} /> },
  { id: 'rows', header: t('Rows read'), align: 'end', cell: (proof) => <RowsRead proof={proof} /> },
];

function RowsRead({ proof: { status, rowsRead, ofRows } }: { proof: LedgerVerification }) {
  if (status !== 'Running' || ofRows === null) return rowsRead.toLocaleString();
  const percent = ofRows === 0 ? 0 : Math.min(99, Math.floor((100 * rowsRead) / ofRows));
  return (
    <Stack gap={2} miw={120}>
      <Progress value={percent} aria-label={t('How far the proof is')} />
      <Text size="xs">
        {t('{rows} of about {all}', { rows: rowsRead.toLocaleString(), all: ofRows.toLocaleString() })}
      </Text>
    </Stack>
  );
}

function Proof({ proof }: { proof: LedgerVerification }) {
  const { status, finding, failure, looked, startedAt, endedAt, requestedBy, requestedAt } = proof;
  return (
    <Stack align="stretch">
      <Stack gap={4} align="flex-start">
        <Status status={status} />
        <Text size="sm">
          {t('Asked for by {name}', { name: requestedBy.name })}, <When at={requestedAt} precision="second" />
        </Text>
        {startedAt !== null && (
          <Text size="sm">
            {t('Begun')} <When at={startedAt} precision="second" />
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
        <Alert color="red" title={t('The first that is not explained')}>
          <Stack gap="xs">
            <Code block tabIndex={0}>
              {finding.place}
            </Code>
            <Text size="sm">{t('breaks the rule that {rule}.', { rule: finding.rule })}</Text>
            {finding.rows.length > 0 && (
              <>
                <Text size="sm">{t('Some of its rows:')}</Text>
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
        <Alert color="red" title={t('It came to no end')}>
          {failure}
        </Alert>
      )}
      {looked !== null && (
        <Text size="sm">
          {t(
            'Looked at {days} of {ofDays} days, {payouts} of {ofPayouts} payouts, {rows} rows, {entries} entries and {balances} balances.',
            Object.fromEntries(
              Object.entries(looked).map(([name, count]) => [name, Number(count).toLocaleString()]),
            ),
          )}{' '}
          {looked.days < looked.ofDays && t('The rest has not moved since it was found sound.')}
        </Text>
      )}
    </Stack>
  );
}
