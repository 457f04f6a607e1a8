import { Alert } from '@mantine/core';
import type { MemberStatus } from '../client/portal/types.gen.ts';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/text.ts';
import { usePublisher } from './publisher.ts';

/** Orders memberships whose purchases are credited before the others. */
export const byStatus = (one: { status: MemberStatus }, other: { status: MemberStatus }): number =>
  Number(one.status !== 'Approved') - Number(other.status !== 'Approved');

/** Notice for a membership whose purchases are not credited. */
export function MemberNotice({ status }: { status: MemberStatus }) {
  const { name } = usePublisher();
  if (status === 'Approved') return null;
  return (
    <Alert mb="md" color={status === 'Pending' ? 'accent' : 'orange'} icon={<Icon name="info" />}>
      {status === 'Pending'
        ? t('{publisher} hasn’t approved you yet. Until then, purchases with your codes aren’t credited.', {
            publisher: name,
          })
        : t(
            'You’re no longer a creator of {publisher}. New purchases aren’t credited, but what you earned is still paid.',
            {
              publisher: name,
            },
          )}
    </Alert>
  );
}
