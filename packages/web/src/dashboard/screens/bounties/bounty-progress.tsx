import { Anchor, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listBountyProgress } from '../../../client/sdk.gen.ts';
import type { BountyDetail, BountyProgress as Standing } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatAmount } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';

/** Each creator's progress, in the order the creators joined. */
export function BountyProgress({ bounty }: { bounty: BountyDetail }) {
  const { publisherId } = usePublisher();
  const { bountyId } = bounty;
  const pages = useInfiniteQuery({
    queryKey: [{ _id: 'listBountyProgress', publisherId, bountyId }],
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await listBountyProgress({
        path: { publisherId, bountyId },
        query: pageParam === null ? {} : { cursor: pageParam },
        signal,
        throwOnError: true,
      });
      return data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (pages.data === undefined)
    return pages.error === null ? (
      <LateSkeleton lines={4} />
    ) : (
      <ErrorNotice
        error={pages.error}
        title={t('Couldn’t load the progress')}
        onRetry={() => void pages.refetch()}
      />
    );
  const rows = pages.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <Text size="sm">{t('No creator has started it yet.')}</Text>;
  return (
    <Stack gap="xs">
      <Table aria-label={t('Progress')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Creator')}</Table.Th>
            <Table.Th scope="col">{t('Completed')}</Table.Th>
            <Table.Th scope="col">{t('Next completion')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to="/p/$publisherId/creators"
                      params={{ publisherId } as never}
                      search={{ open: row.member.id } as never}
                    />
                  )}
                >
                  {row.member.name}
                </Anchor>
              </Table.Td>
              <Table.Td>{formatCount(row.completionCount)}</Table.Td>
              <Table.Td>
                {row.completed ? t('Complete') : <NextCompletion row={row} bounty={bounty} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {pages.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            size="xs"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t('Show more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function NextCompletion({ row, bounty }: { row: Standing; bounty: BountyDetail }) {
  return (
    <Stack gap={4}>
      {row.currentObjectives.map(({ id, count, objective }) => {
        const currency = bounty.objectives.find((each) => each.id === objective.id)?.currency ?? null;
        const format = (value: number): string =>
          objective.condition === 'Amount' && currency !== null
            ? `${formatAmount(String(value), currency)} ${currency}`
            : formatCount(value);
        const text = t('{name}: {count} of {target}', {
          name: objective.name,
          count: format(count),
          target: format(objective.count),
        });
        return (
          <div key={id}>
            <Text size="sm">{text}</Text>
            <Progress value={(count / objective.count) * 100} size="sm" aria-label={text} />
          </div>
        );
      })}
    </Stack>
  );
}
