import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { getRequestOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FactsSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';

export function RequestDetail({ refusedId }: { refusedId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getRequestOptions({ path: { publisherId, refusedId } }));
  if (error !== null)
    return (
      <ErrorNotice
        error={error}
        title={t('Couldn’t load the request')}
        missing={t('Request not found')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <FactsSkeleton />;
  const { status, code, message } = data;
  const next = nextStep(code);
  return (
    <Stack>
      <Alert color="red" icon={<Icon name="alert" />} title={`${status} ${code}`}>
        <Text size="sm">{message}</Text>
      </Alert>
      {next !== null && <Text size="sm">{next}</Text>}
      {data.sentCode !== null && <SentCode code={data.sentCode} groupId={data.groupId} />}
      <Facts
        facts={[
          ...(data.sentCode === null
            ? []
            : ([[t('Creator code'), <Code key="code">{data.sentCode}</Code>]] as const)),
          ...(data.groupId === null ? [] : ([[t('Group'), data.groupId]] as const)),
          [t('Operation'), <Operation key="operation" method={data.method} route={data.route} />],
          [t('Time'), <When key="at" at={data.at} precision="second" />],
          [t('Key'), data.keyName === null ? data.keyId : `${data.keyName} (${data.keyId})`],
          [t('IP address'), data.address],
          [
            t('X-Request-Id'),
            <Group key="id" gap={4}>
              <Code>{data.requestId}</Code>
              <CopyButton value={data.requestId} label={t('Copy request ID')} />
            </Group>,
          ],
        ]}
      />
    </Stack>
  );
}

/** Operation that breaks between the parts of its route, and not within a word. */
const Operation = ({ method, route }: { method: string; route: string }) => (
  <Code>
    {method}{' '}
    {route.split(/(?<=\/)/).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts may repeat, and never move
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </Code>
);

function SentCode({ code, groupId }: { code: string; groupId: string | null }) {
  return (
    <Group gap="md">
      <ScreenLink isInText screen="creators" query={{ check: code, group: groupId ?? undefined }}>
        {t('Check code “{code}”', { code })}
      </ScreenLink>
      <ScreenLink isInText screen="developers" query={{ tab: 'requests', sentCode: code }}>
        {t('Rejected requests with “{code}”', { code })}
      </ScreenLink>
    </Group>
  );
}

/** Returns advice for an error whose own message doesn't say what to do. */
function nextStep(code: string): string | null {
  switch (code) {
    case 'Unauthorized':
      return t('The key was revoked or has expired. Create or rotate a key under Keys.');
    case 'Forbidden':
      return t('Call it from your back end with a secret key. A game must not contain one.');
    case 'InvalidGroup':
      return t('This publisher has no group with this groupId, or the key belongs to another group.');
    case 'RateLimited':
      return t('Send fewer requests at once, and retry after the delay in the Retry-After header.');
    case 'Unavailable':
      return t('The service was unavailable. Resending with the same transactionId is safe.');
    default:
      return null;
  }
}
