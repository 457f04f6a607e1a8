import { Text } from '@mantine/core';
import type { EndpointHealth } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Counts of the latest deliveries, as text so that the meaning doesn't depend on color. */
export function Health({ health: { delivered, failed, retrying } }: { health: EndpointHealth }) {
  const ended = delivered + failed + retrying;
  if (ended === 0)
    return (
      <Text inherit c="dimmed" span>
        {t('None delivered yet')}
      </Text>
    );
  const isHealthy = failed + retrying === 0;
  return (
    <Text inherit span fw={isHealthy ? undefined : 600}>
      {isHealthy
        ? t('all {count} delivered', { count: delivered })
        : t('{delivered} of {count} delivered', { delivered, count: ended })}
      {retrying > 0 && `, ${t('{count} retrying', { count: retrying })}`}
      {failed > 0 && `, ${t('{count} failed', { count: failed })}`}
    </Text>
  );
}
