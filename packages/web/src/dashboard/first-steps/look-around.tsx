import { Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { LoadDemo, useSandbox } from '../sandbox/demo-data.tsx';
import { PublisherLink } from '../sandbox/publisher-link.tsx';
import { usePublisher } from '../session/session.ts';

/**
 * Offers a newcomer a sandbox with demo data, or links to the existing sandbox.
 *
 * @param isMain true if this is the screen's next step
 * @param isCentered true below a centered text
 */
export function LookAround({
  isMain = false,
  isCentered = false,
}: {
  isMain?: boolean;
  isCentered?: boolean;
}) {
  const { may } = usePublisher();
  const { data } = useSandbox();
  const sandbox = data?.sandbox ?? null;
  if (sandbox !== null)
    return (
      <Text size="sm" mih={48}>
        {t('To explore without risk,')}{' '}
        <PublisherLink publisherId={sandbox.publisherId} screen="overview">
          {t('open the sandbox')}
        </PublisherLink>
        .
      </Text>
    );
  if (!may('program')) return null;
  return (
    <LoadDemo isMain={isMain} isCentered={isCentered}>
      <Text size="sm" flex={1} miw={220}>
        {t(
          'Try every screen in a sandbox with sample creators, purchases, and payouts. Nothing in it is real.',
        )}
      </Text>
    </LoadDemo>
  );
}
