import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listApplicationsOfCreatorOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { CreatorApplication as Application, Creator } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';

/** Latest application of the creator to the group. Absent for a creator who never applied. */
export function CreatorApplication({ creator: { memberId, groupId } }: { creator: Creator }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    listApplicationsOfCreatorOptions({ path: { publisherId, memberId } }),
  );
  if (error !== null)
    return (
      <ErrorNotice error={error} title={t('Couldn’t load the application')} onRetry={() => void refetch()} />
    );
  const application = data?.rows.find((each) => each.groupId === groupId);
  if (data === undefined || application === undefined) return null;
  return (
    <Stack gap="xs" component="section" aria-label={t('Application')}>
      <Title order={3} size="h5">
        {t('Application')}
      </Title>
      <Facts
        facts={[
          [t('Status'), stateName(application.state)],
          [t('Requested code'), application.code ?? unknown],
          [t('Email address'), data.email ?? unknown],
          [t('Applied'), <When key="applied" at={application.appliedAt} />],
          [t('Terms accepted'), t('Version {version}', { version: application.terms.version })],
          application.decidedAt === null
            ? [t('Expires'), <When key="ends" at={application.expiresAt} precision="day" />]
            : [t('Decided'), <When key="decided" at={application.decidedAt} />],
          ...(application.reason === null
            ? []
            : [[t('Reason shown to the creator'), application.reason] as const]),
        ]}
      />
    </Stack>
  );
}

const stateName = (state: Application['state']): string =>
  ({
    Open: t('Pending'),
    Approved: t('Approved'),
    Refused: t('Rejected'),
    Expired: t('Expired'),
  })[state];
