import { Alert } from '@mantine/core';
import type { MemberStatus } from '../client/portal/types.gen.ts';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';
import { usePublisher } from './publisher.ts';

/** Orders memberships whose purchases are credited before the others. */
export const byStatus = (one: { status: MemberStatus }, other: { status: MemberStatus }): number =>
  Number(one.status !== 'Approved') - Number(other.status !== 'Approved');

/** Notice for a membership whose purchases are not credited. It names the group, because others may be approved. */
export function MemberNotice({ status, groupName }: { status: MemberStatus; groupName: string }) {
  const { name } = usePublisher();
  if (status === 'Approved') return null;
  return (
    <Alert mb="md" color={status === 'Pending' ? 'accent' : 'orange'} icon={<Icon name="info" />}>
      {status === 'Pending'
        ? t(
            '{publisher} hasn’t approved you for {group} yet. Until then, purchases with your codes aren’t credited there.',
            {
              publisher: name,
              group: groupName,
            },
          )
        : t(
            'You’re no longer a creator in {group} of {publisher}. New purchases aren’t credited there, but what you earned is still paid.',
            { publisher: name, group: groupName },
          )}
    </Alert>
  );
}
