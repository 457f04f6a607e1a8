import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { RefusedGroups } from '../../../client/types.gen.ts';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { TimeLength, When } from '../../../ui/when.tsx';
import { CodeLink } from './code-link.tsx';
import { RequestDetail } from './request-detail.tsx';

const shown = 5;

/** Latest rejected requests, on the screen that engineers check first when requests fail. */
export function LatestRefused({
  groups: { data, error, refetch },
}: {
  groups: UseQueryResult<RefusedGroups, unknown>;
}) {
  const { setQuery } = useUrlState();
  const rows = data?.rows.slice(0, shown) ?? [];
  if (rows.length === 0 && error === null) return null;
  return (
    <Stack gap="xs" mt="xl">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('Latest rejected requests')}
        </Title>
        <Anchor component="button" type="button" onClick={() => setQuery({ tab: 'requests', open: null })}>
          {t('All rejected requests')}
        </Anchor>
      </Group>
      {error !== null && (
        <ErrorNotice
          error={error}
          title={t('Couldn’t load the rejected requests')}
          onRetry={() => void refetch()}
        />
      )}
      {rows.length > 0 && (
        <Table aria-label={t('Latest rejected requests')}>
          <Table.Tbody>
            {rows.map(({ refusedId, status, code, message, at, count, sentCode, groupId }) => (
              <Table.Tr key={refusedId}>
                <Table.Td>
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="start"
                    style={{ whiteSpace: 'nowrap' }}
                    onClick={() => setQuery({ open: refusedId })}
                  >
                    {status} {code}
                  </Anchor>
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {message}
                  </Text>
                </Table.Td>
                <Table.Td>{sentCode !== null && <CodeLink code={sentCode} groupId={groupId} />}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text size="sm" c="dimmed">
                    {message}
                  </Text>
                </Table.Td>
                <Table.Td ta="end">
                  {count > 1 && t('{count}×', { count })}
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    <TimeLength value="shortest">
                      <When at={at} />
                    </TimeLength>
                  </Text>
                </Table.Td>
                <Table.Td ta="end" c="dimmed" visibleFrom="sm">
                  <TimeLength value="list">
                    <When at={at} />
                  </TimeLength>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <DetailDrawer title={t('Rejected request')}>
        {(refusedId) => <RequestDetail refusedId={refusedId} />}
      </DetailDrawer>
    </Stack>
  );
}
