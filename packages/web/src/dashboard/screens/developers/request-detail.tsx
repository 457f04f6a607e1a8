import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRequestOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';

/** One refused request: what it asked for, and what it was answered. */
export function RequestDetail({ refusedId }: { refusedId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getRequestOptions({ path: { publisherId, refusedId } }));
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LateSkeleton />;
  const next = nextStep(data.code);
  return (
    <Stack>
      <Alert color="red" icon={<Icon name="alert" />} title={`${data.status} ${data.code}`}>
        <Text size="sm">{data.message}</Text>
      </Alert>
      {next !== null && <Text size="sm">{next}</Text>}
      {data.sentCode !== null && <SentCode code={data.sentCode} groupId={data.groupId} />}
      <Facts
        facts={[
          ...(data.sentCode === null
            ? []
            : ([[t('Creator code sent'), <Code key="code">{data.sentCode}</Code>]] as const)),
          ...(data.groupId === null ? [] : ([[t('Group'), data.groupId]] as const)),
          [t('Operation'), <Code key="operation">{`${data.method} ${data.route}`}</Code>],
          [t('When'), <When key="at" at={data.at} precision="second" />],
          [t('Key'), data.keyName === null ? data.keyId : `${data.keyName} (${data.keyId})`],
          [t('From'), data.address],
          [
            t('X-Request-Id'),
            <Group key="id" gap={4}>
              <Code>{data.requestId}</Code>
              <CopyButton value={data.requestId} label={t('Copy the id of the request')} />
            </Group>,
          ],
        ]}
      />
    </Stack>
  );
}

/** Next steps for a code that was refused: why, and how often. */
function SentCode({ code, groupId }: { code: string; groupId: string | null }) {
  return (
    <Group gap="md">
      <ScreenLink isInText screen="creators" query={{ check: code, group: groupId ?? undefined }}>
        {t('Check code {code}', { code })}
      </ScreenLink>
      <ScreenLink isInText screen="developers" query={{ tab: 'requests', sentCode: code }}>
        {t('Rejected requests with {code}', { code })}
      </ScreenLink>
    </Group>
  );
}

/** What to do about it, where the answer's own words leave that open. */
function nextStep(code: string): string | null {
  switch (code) {
    case 'Unauthorized':
      return t('The key has ended: it was revoked, or its last day has come. Make or rotate one under Keys.');
    case 'Forbidden':
      return t('It is a public key, and this operation asks for a secret one.');
    case 'InvalidGroup':
      return t('The groupId names no group of this publisher, or the key is of another group.');
    case 'RateLimited':
      return t('Send less at once, and try again after the seconds of Retry-After.');
    case 'Unavailable':
      return t('The service could not answer then; sending it again is safe, with the same transactionId.');
    default:
      return null;
  }
}
