import { Alert, Stack, Text } from '@mantine/core';
import type { OwnApplication } from '../../../client/portal/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { LinkButton } from '../../link-button.tsx';

/** State of an application, with the publisher's reason if it was refused. */
export function Decision({ application }: { application: OwnApplication }) {
  const { state, publisherName: publisher, groupName: group } = application;
  return (
    <Stack gap="sm" mb="lg" align="flex-start">
      <Alert
        w="100%"
        role="status"
        color={state === 'Refused' || state === 'Expired' ? 'orange' : 'accent'}
        icon={<Icon name="info" />}
        title={titleOf(application)}
      >
        <Stack gap="xs">
          {state === 'Open' && (
            <Text size="sm">
              {t(
                '{publisher} will decide by {day}. Until you’re approved, purchases with {code} aren’t credited to you.',
                {
                  publisher,
                  day: day(application.expiresAt),
                  code: application.code ?? '',
                },
              )}
            </Text>
          )}
          {state === 'Approved' && (
            <Text size="sm">
              {t('You’re a creator in {group}. Share your code, and see what you earn.', { group })}
            </Text>
          )}
          {state === 'Refused' && <Refusal application={application} />}
          {state === 'Expired' && (
            <Text size="sm">
              {t('{publisher} didn’t decide in time. You can apply again.', { publisher })}
            </Text>
          )}
        </Stack>
      </Alert>
      {(state === 'Open' || state === 'Approved') && (
        <LinkButton to="/" variant={state === 'Open' ? 'default' : 'filled'}>
          {t('Go to Home')}
        </LinkButton>
      )}
    </Stack>
  );
}

function Refusal({ application: { reason, againAt } }: { application: OwnApplication }) {
  return (
    <>
      {reason !== null && <Text size="sm">{t('Reason: {reason}', { reason })}</Text>}
      {againAt !== null && <Text size="sm">{t('You can apply again on {day}.', { day: day(againAt) })}</Text>}
    </>
  );
}

const day = (at: string): string => formatWhen(at, 'viewer', 'day');

function titleOf({ state, publisherName: publisher }: OwnApplication): string {
  switch (state) {
    case 'Open':
      return t('Application sent');
    case 'Approved':
      return t('{publisher} approved your application', { publisher });
    case 'Refused':
      return t('{publisher} didn’t accept your application', { publisher });
    case 'Expired':
      return t('Your application expired');
  }
}
