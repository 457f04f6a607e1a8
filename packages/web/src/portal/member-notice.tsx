import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listApplicationsOptions } from '../client/portal/@tanstack/react-query.gen.ts';
import type { MemberStatus } from '../client/portal/types.gen.ts';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';
import { usePublisher } from './publisher.ts';

/** Orders memberships whose purchases are credited before the others. */
export const byStatus = (one: { status: MemberStatus }, other: { status: MemberStatus }): number =>
  Number(one.status !== 'Approved') - Number(other.status !== 'Approved');

interface MemberNoticeProps {
  status: MemberStatus;
  groupId: string;
  groupName: string;
}

/** Notice for a membership whose purchases are not credited. It names the group, because others may be approved. */
export function MemberNotice({ status, groupId, groupName }: MemberNoticeProps) {
  if (status === 'Approved') return null;
  return (
    <Alert mb="md" color={status === 'Pending' ? 'accent' : 'orange'} icon={<Icon name="info" />}>
      {status === 'Pending' ? (
        <Waiting groupName={groupName} />
      ) : (
        <Ended groupId={groupId} groupName={groupName} />
      )}
    </Alert>
  );
}

function Waiting({ groupName: group }: Pick<MemberNoticeProps, 'groupName'>) {
  const { name: publisher } = usePublisher();
  return t(
    '{publisher} hasn’t approved you for {group} yet. Until then, purchases with your codes aren’t credited there.',
    { publisher, group },
  );
}

/** Text about an application that was not approved, or about a membership that has ended. */
function Ended({ groupId, groupName: group }: Omit<MemberNoticeProps, 'status'>) {
  const { publisherId, name: publisher } = usePublisher();
  const { data } = useQuery(listApplicationsOptions());
  const application = data?.rows.find((each) => each.publisherId === publisherId && each.groupId === groupId);
  if (application?.state === 'Refused')
    return application.reason === null
      ? t('{publisher} didn’t accept your application to {group}.', { publisher, group })
      : t('{publisher} didn’t accept your application to {group}. Reason: {reason}', {
          publisher,
          group,
          reason: application.reason,
        });
  if (application?.state === 'Expired')
    return t('{publisher} didn’t decide on your application to {group} in time. You can apply again.', {
      publisher,
      group,
    });
  return t(
    'You’re no longer a creator in {group} of {publisher}. New purchases aren’t credited there, but what you earned is still paid.',
    { publisher, group },
  );
}
