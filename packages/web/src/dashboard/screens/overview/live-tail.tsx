import { Box, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Money } from '../../../ui/money.tsx';
import { PauseButton } from '../../../ui/pause-button.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { TimeLength, When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { Share } from '../transactions/columns.tsx';
import { NotAvailable } from './load-errors.tsx';
import classes from './overview.module.css';
import { LinesSkeleton } from './skeletons.tsx';
import { useTail } from './use-tail.ts';

/** Number of purchases shown on a phone. */
const shownOnPhone = 6;

/** Latest purchases. On a phone, each has two lines: the purchase with its share, and the creator with the time. */
export function LiveTail() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const [isPaused, setPaused] = useState(false);
  const isNarrow = useNarrow();
  const { data, error } = useTail(publisherId, query.group, isPaused);
  return (
    <Paper withBorder p="md" component="section" className={classes.live} aria-label={t('Live')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('Live')}
        </Title>
        <PauseButton isPaused={isPaused} onChange={setPaused} />
      </Group>
      {data === undefined && (error === null ? <LinesSkeleton count={6} /> : <NotAvailable />)}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No purchases yet. A purchase appears here within two seconds of being recorded.')}
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <Box className={classes.tail}>
          <Table aria-label={t('Latest purchases')} stickyHeader miw={isNarrow ? 0 : 420}>
            <Table.Thead>
              <Table.Tr>
                {!isNarrow && <Table.Th scope="col">{t('Recorded')}</Table.Th>}
                <Table.Th scope="col">{t('Purchase')}</Table.Th>
                {!isNarrow && <Table.Th scope="col">{t('Creator')}</Table.Th>}
                {!isNarrow && (
                  <Table.Th scope="col" ta="end">
                    {t('Sale')}
                  </Table.Th>
                )}
                <Table.Th scope="col" ta="end">
                  {t('Earned')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.slice(0, isNarrow ? shownOnPhone : undefined).map(({ row, recordedAt }) => (
                <Table.Tr key={row.attributionId}>
                  {!isNarrow && (
                    <Table.Td c="dimmed">
                      <TimeLength value="shortest">
                        <When at={recordedAt} precision="minute" />
                      </TimeLength>
                    </Table.Td>
                  )}
                  <Table.Td className={classes.purchase}>
                    <ScreenLink screen="transactions" query={{ group: query.group, open: row.transactionId }}>
                      {row.transactionId}
                    </ScreenLink>
                    {isNarrow && (
                      <Text size="xs" c="dimmed" truncate>
                        <TimeLength value="shortest">
                          <When at={recordedAt} precision="minute" /> · {row.creator.name}
                        </TimeLength>
                      </Text>
                    )}
                  </Table.Td>
                  {!isNarrow && (
                    <Table.Td>
                      <ScreenLink
                        screen="creators"
                        query={{ group: row.groupId, open: row.creator.memberId }}
                      >
                        {row.creator.name}
                      </ScreenLink>
                    </Table.Td>
                  )}
                  {!isNarrow && (
                    <Table.Td ta="end">
                      <Money minor={row.subtotalMinor} currency={row.currency} />
                    </Table.Td>
                  )}
                  <Table.Td ta="end" fw={600} className={classes.share}>
                    <Share row={row} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </Paper>
  );
}
