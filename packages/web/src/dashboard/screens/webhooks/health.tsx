import { Text } from '@mantine/core';
import type { EndpointHealth } from '../../../client/types.gen.ts';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

/** How many of the latest deliveries arrived, in words: the color says nothing more. */
export function Health({ health: { delivered, failed, retrying } }: { health: EndpointHealth }) {
  const ended = delivered + failed + retrying;
  if (ended === 0) return <Text size="sm">{unknown}</Text>;
  const isWell = failed + retrying === 0;
  return (
    <Text size="sm" span fw={isWell ? undefined : 600}>
      {isWell
        ? t('all {count} arrived', { count: delivered })
        : t('{delivered} of {count} arrived', { delivered, count: ended })}
      {retrying > 0 && `, ${t('{count} being retried', { count: retrying })}`}
      {failed > 0 && `, ${t('{count} given up', { count: failed })}`}
    </Text>
  );
}
