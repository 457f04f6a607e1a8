import { Text } from '@mantine/core';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Numbers of a connector's events in the last 30 days, as text so that the meaning doesn't depend on color. */
export function EventCounts({ counts: { done, waiting, ignored, failed } }: Pick<ListedConnector, 'counts'>) {
  if (done + waiting + ignored + failed === 0)
    return (
      <Text inherit c="dimmed" span data-none>
        {t('None')}
      </Text>
    );
  const others = [
    done > 0 && t('{count, number} done', { count: done }),
    waiting > 0 && t('{count, number} waiting', { count: waiting }),
    ignored > 0 && t('{count, number} ignored', { count: ignored }),
  ].filter((each) => each !== false);
  return (
    <Text inherit span>
      {others.join(', ')}
      {failed > 0 && (
        <>
          {others.length > 0 && ', '}
          <Text span fw={600} inherit>
            {t('{count, number} failed', { count: failed })}
          </Text>
        </>
      )}
    </Text>
  );
}
