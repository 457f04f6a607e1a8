import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listStatementsOfCreatorOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { drawStatementOfCreator, exportStatementOfCreator } from '../../../client/sdk.gen.ts';
import type { Creator, MonthlyStatement } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { FetchButton } from '../../../ui/fetch-button.tsx';
import { Money } from '../../../ui/money.tsx';
import { asBlob } from '../../../ui/save-file.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

/** Number of statements shown by default. */
const shownAtFirst = 6;

/** Monthly statements of a creator in the group, with the files that the creator downloads in the portal. */
export function CreatorStatements({ creator: { memberId, groupId } }: { creator: Creator }) {
  const { publisherId } = usePublisher();
  const [isAll, setAll] = useState(false);
  const { data, error, refetch } = useQuery(
    listStatementsOfCreatorOptions({ path: { publisherId, memberId }, query: { group: groupId } }),
  );
  const rows = data?.rows ?? [];
  return (
    <Stack gap="xs" component="section" aria-label={t('Monthly statements')}>
      <Title order={3} size="h5">
        {t('Monthly statements')}
      </Title>
      {error !== null ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LateSkeleton lines={2} />
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('No statements yet. A month in which something was booked has one an hour after its end (UTC).')}
        </Text>
      ) : (
        <>
          <Statements rows={isAll ? rows : rows.slice(0, shownAtFirst)} memberId={memberId} />
          {!isAll && rows.length > shownAtFirst && (
            <Group>
              <Anchor
                component="button"
                type="button"
                size="sm"
                underline="always"
                onClick={() => setAll(true)}
              >
                {t('Show all {count}', { count: rows.length })}
              </Anchor>
            </Group>
          )}
          {isAll && data.areMore && (
            <Text size="sm" c="dimmed">
              {t('Older statements aren’t listed.')}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

function Statements({ rows, memberId }: { rows: readonly MonthlyStatement[]; memberId: string }) {
  const { may } = usePublisher();
  return (
    <Table aria-label={t('Monthly statements')} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Month')}</Table.Th>
          <Table.Th ta="end" visibleFrom="xs">
            {t('Opening')}
          </Table.Th>
          <Table.Th ta="end">{t('Closing')}</Table.Th>
          {may('export') && <Table.Th ta="end">{t('Files')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.statementId}>
            <Table.Td>{row.month}</Table.Td>
            <Table.Td ta="end" visibleFrom="xs">
              <Money minor={row.openingMinor} currency={row.currency} isSigned />
            </Table.Td>
            <Table.Td ta="end">
              <Money minor={row.closingMinor} currency={row.currency} isSigned />
            </Table.Td>
            {may('export') && (
              <Table.Td>
                <Files statement={row} memberId={memberId} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Files({ statement, memberId }: { statement: MonthlyStatement; memberId: string }) {
  const { publisherId } = usePublisher();
  const { statementId, month, groupId, currency } = statement;
  const name = `statement-${publisherId}-${groupId}-${month}-${currency}`.replaceAll(/[^\w.-]+/g, '-');
  const request = { path: { publisherId, memberId, statementId }, ...asBlob };
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <FetchButton
        label="PDF"
        name={t('PDF of {month}, {currency}', { month, currency })}
        fileName={`${name}.pdf`}
        fetchFile={() => drawStatementOfCreator(request)}
      />
      <FetchButton
        label="CSV"
        name={t('CSV of {month}, {currency}', { month, currency })}
        fileName={`${name}.csv`}
        fetchFile={() => exportStatementOfCreator(request)}
      />
    </Group>
  );
}
