import { Button } from '@mantine/core';
import { replayFailedConnectorEvents } from '../../../client/sdk.gen.ts';
import type { ListedConnector } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { usePublisher } from '../../session/session.ts';
import { useReloadConnectors } from './use-connectors.ts';

/** Button that reads all failed events of a connector again, and works on them again. */
export function ReplayFailed({ connector: { connectorId } }: { connector: ListedConnector }) {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const { error, isBusy, run } = useAttempt();
  const replay = (): Promise<void> =>
    run(async () => {
      const { data } = await replayFailedConnectorEvents({
        path: { publisherId, connectorId },
        throwOnError: true,
      });
      toast(
        data.isMoreLeft
          ? t('Replaying {count, number} failed events. Replay again for the rest', {
              count: data.replayed,
            })
          : t('Replaying {count, plural, one {# failed event} other {# failed events}}', {
              count: data.replayed,
            }),
      );
      await reload();
    });
  return (
    <div>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t replay the failed events')} />}
      <Button
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        loading={isBusy}
        onClick={() => void replay()}
      >
        {t('Replay all failed')}
      </Button>
    </div>
  );
}
