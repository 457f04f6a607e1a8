import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listStatementsOfCreatorOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { drawStatementOfCreator, exportStatementOfCreator } from '../../../client/sdk.gen.ts';
import type { Creator, MonthlyStatement } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Money } from '../../../ui/money.tsx';
import { asBlob, saveFile } from '../../../ui/save-file.ts';
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
        <ErrorNotice error={error} title={t('Couldn’t load the statements')} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LateSkeleton lines={2} />
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('No statements yet. Statements appear one hour after a month with activity ends (UTC).')}
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

const files = [
  { kind: 'pdf', name: 'PDF', read: drawStatementOfCreator },
  { kind: 'csv', name: 'CSV', read: exportStatementOfCreator },
] as const;

interface Wanted {
  statement: MonthlyStatement;
  file: (typeof files)[number];
}

function Statements({ rows, memberId }: { rows: readonly MonthlyStatement[]; memberId: string }) {
  const { publisherId, may } = usePublisher();
  const download = useMutation({
    mutationFn: async ({ statement, file }: Wanted) => {
      const { statementId, month, groupId, currency } = statement;
      const { data } = await file.read({ path: { publisherId, memberId, statementId }, ...asBlob });
      const name = `statement-${publisherId}-${groupId}-${month}-${currency}`.replaceAll(/[^\w.-]+/g, '-');
      saveFile(data as unknown as Blob, `${name}.${file.kind}`);
    },
    gcTime: 0,
  });
  const isRunning = ({ statement, file }: Wanted): boolean =>
    download.isPending &&
    download.variables.file === file &&
    download.variables.statement.statementId === statement.statementId;
  return (
    <>
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
          {rows.map((statement) => (
            <Table.Tr key={statement.statementId}>
              <Table.Td>{statement.month}</Table.Td>
              <Table.Td ta="end" visibleFrom="xs">
                <Money minor={statement.openingMinor} currency={statement.currency} isSigned />
              </Table.Td>
              <Table.Td ta="end">
                <Money minor={statement.closingMinor} currency={statement.currency} isSigned />
              </Table.Td>
              {may('export') && (
                <Table.Td>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    {files.map((file) => (
                      <Button
                        key={file.kind}
                        size="xs"
                        variant="default"
                        leftSection={<Icon name="download" size={16} />}
                        loading={isRunning({ statement, file })}
                        aria-label={t('{file} of {month}, {currency}', {
                          file: file.name,
                          month: statement.month,
                          currency: statement.currency,
                        })}
                        onClick={() => download.mutate({ statement, file })}
                      >
                        {file.name}
                      </Button>
                    ))}
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {download.error !== null && (
        <ErrorNotice error={download.error} title={t('Couldn’t download the file')} />
      )}
    </>
  );
}
