import { Anchor, Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useSandbox } from '../sandbox/demo-data.tsx';
import { PublisherLink } from '../sandbox/publisher-link.tsx';
import { useCopy } from '../sandbox/use-copy.ts';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';

/** Link to the form that records a purchase in a sandbox, for people who can't run a command. */
export function NoTerminal() {
  const { sandboxOf, may } = usePublisher();
  if (!may('program')) return null;
  if (sandboxOf === null) return <InSandbox />;
  return (
    <Text size="sm">
      {t('No terminal?')}{' '}
      <ScreenLink isInText screen="sandbox">
        {t('Record a purchase with a form')}
      </ScreenLink>
    </Text>
  );
}

/** The form is only in a sandbox. Without one, the link copies the program to a new sandbox. */
function InSandbox() {
  const { data } = useSandbox();
  const copy = useCopy();
  const { error, isBusy, run } = useAttempt();
  const sandbox = data?.sandbox ?? null;
  const label = isBusy ? t('Copying the program to a sandbox…') : t('Record a purchase with a form');
  return (
    <Stack gap="xs">
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t copy the live program')} />}
      <Text size="sm">
        {t('No terminal?')}{' '}
        {sandbox !== null ? (
          <PublisherLink publisherId={sandbox.publisherId} screen="sandbox">
            {label}
          </PublisherLink>
        ) : (
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            disabled={isBusy || data === undefined}
            style={{ verticalAlign: 'middle' }}
            onClick={() => void run(() => copy(null, 0))}
          >
            {label}
          </Anchor>
        )}{' '}
        {t('in a sandbox. Live purchases come from your back end or a connector.')}
      </Text>
    </Stack>
  );
}
