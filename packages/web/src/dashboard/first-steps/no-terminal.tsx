import { Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';

/** Link to the form that records a purchase in a sandbox, for people who can't run a command. */
export function NoTerminal() {
  const { sandboxOf, may } = usePublisher();
  if (sandboxOf === null || !may('program')) return null;
  return (
    <Text size="sm">
      {t('No terminal?')}{' '}
      <ScreenLink isInText screen="sandbox">
        {t('Record a purchase with a form')}
      </ScreenLink>
    </Text>
  );
}
