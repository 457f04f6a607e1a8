import { Button, Stack, Text } from '@mantine/core';
import { testStreamAlert } from '../../../client/portal/sdk.gen.ts';
import type { StreamAlert } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { usePublisher } from '../../publisher.ts';
import classes from './stream-alert.module.css';

/** State of the overlay, and the button that tries it. */
export function Connection({ alert: { isConnected, seenAt } }: { alert: StreamAlert }) {
  const { publisherId } = usePublisher();
  const { error, isBusy, run } = useAttempt();
  const test = async (): Promise<void> => {
    await testStreamAlert({ query: { publisher: publisherId }, body: {}, throwOnError: true });
    announce(t('Test sent'));
  };
  return (
    <section>
      <h2 className={classes.title}>{t('On your stream')}</h2>
      <p className={classes.state} data-connected={isConnected || undefined}>
        {isConnected
          ? t('Connected')
          : seenAt === null
            ? t('The address isn’t in use yet')
            : t('Not connected since {when}', { when: formatWhen(seenAt, 'viewer', 'minute') })}
      </p>
      <Stack gap="sm" align="flex-start">
        {error !== null && <Failing error={error} title={t('No test was sent')} />}
        <Button size="md" variant="default" loading={isBusy} onClick={() => void run(test)}>
          {t('Show a test')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('The test appears on your stream, not on this page.')}
        </Text>
      </Stack>
    </section>
  );
}
