import { Text } from '@mantine/core';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Numbers of a connector's events in the last 30 days, as text so that the meaning doesn't depend on color. */
export function EventCounts({ counts }: Pick<ListedConnector, 'counts'>) {
  const { done, waiting, ignored, failed } = counts;
  if (done + waiting + ignored + failed === 0)
    return (
      <Text inherit c="dimmed" span data-none>
        {t('None')}
      </Text>
    );
  const others = [
    done > 0 && recordedText(counts),
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

/** Counts the events that are done, and says how many of them are samples, which say nothing about the provider. */
function recordedText({ done, samples }: ListedConnector['counts']): string {
  if (samples === 0) return t('{count, number} recorded', { count: done });
  return samples === done
    ? t('{count, plural, one {# recorded (sample)} other {# recorded (samples)}}', { count: done })
    : t('{count, number} recorded ({samples, plural, one {# sample} other {# samples}})', {
        count: done,
        samples,
      });
}
