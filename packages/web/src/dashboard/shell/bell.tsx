import { ActionIcon, Indicator, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { client } from '../../client/client.gen.ts';
import type { ListEndpointsResponses, WebhookEndpoint } from '../../client/types.gen.ts';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { When } from '../../ui/when.tsx';
import { usePublisher } from '../session/session.ts';

/** Menu of failing webhook endpoints. Each entry opens the endpoint's last failed delivery. */
export function Bell() {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const place = useLocation({ select: ({ href }) => href });
  const { data = [] } = useQuery({
    queryKey: ['failing-endpoints', publisherId],
    queryFn: ({ signal }) => failing(publisherId, signal),
    refetchInterval: 30_000,
  });
  const go = ({ endpointId, health }: WebhookEndpoint): void =>
    void navigate({
      to: `/p/$publisherId/webhooks/${encodeURIComponent(endpointId)}`,
      params: { publisherId } as never,
      search: { open: health.lastFailedEventId ?? undefined } as never,
    });
  const label =
    data.length === 0
      ? t('No failing endpoints')
      : t('{count, plural, one {# endpoint is failing} other {# endpoints are failing}}', {
          count: data.length,
        });
  return (
    // A new menu for each place is closed, also after a key opened another screen or a row.
    <Menu key={place} position="bottom-end" width={340}>
      <Indicator disabled={data.length === 0} label={data.length} size={16} color="red" offset={4}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={label}>
            <Icon name="bell" />
          </ActionIcon>
        </Menu.Target>
      </Indicator>
      <Menu.Dropdown>
        {data.length === 0 ? (
          // A menu needs an item. It is ordinary text, because nothing can be done.
          <Menu.Item disabled opacity={1} c="var(--mantine-color-text)">
            {label}
          </Menu.Item>
        ) : (
          <Menu.Label>{label}</Menu.Label>
        )}
        {data.map((endpoint) => (
          <Menu.Item
            key={endpoint.endpointId}
            leftSection={<Icon name="alert" size={16} />}
            onClick={() => go(endpoint)}
          >
            <Text size="sm" lineClamp={2}>
              {endpoint.url}
            </Text>
            <Text size="xs" c="dimmed">
              {endpoint.isEnabled ? t('Failing since') : endpoint.disabledReason}{' '}
              {endpoint.failingSince !== null && <When at={endpoint.failingSince} />}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Loads the endpoints by calling the client directly, which keeps the generated functions out of the first script. */
async function failing(publisherId: string, signal: AbortSignal): Promise<WebhookEndpoint[]> {
  const { data } = await client.get<ListEndpointsResponses, unknown, true>({
    url: '/admin/v1/publishers/{publisherId}/endpoints',
    path: { publisherId },
    signal,
    throwOnError: true,
  });
  return data.rows.filter(({ failingSince }) => failingSince !== null);
}
