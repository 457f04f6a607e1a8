import { Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';

/** Link to the other way to report purchases, for a publisher whose shop does it. */
export function ForShops() {
  const { may } = usePublisher();
  if (!may('webhooks')) return null;
  return (
    <Text size="sm">
      {t('Selling with Stripe, Xsolla, Steam, or another provider?')}{' '}
      <ScreenLink isInText screen="connectors" query={{ do: 'add' }}>
        {t('Add a connector')}
      </ScreenLink>
    </Text>
  );
}
