import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getHomeOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { HomeCurrency, HomeGroup } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { queryClient } from '../../api.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { byStatus, MemberNotice } from '../../member-notice.tsx';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { CurrencyPart } from './currency-part.tsx';
import classes from './home.module.css';

const homeQuery = (publisherId: string) => getHomeOptions({ query: { publisher: publisherId } });

export const prefetch = (publisherId: string): void => void queryClient.prefetchQuery(homeQuery(publisherId));

/** Amounts of the chosen publisher: today, this month, the next payout, and why money waits. */
export function Page() {
  const { publisherId, isSandbox } = usePublisher();
  const { data, error, refetch } = useQuery(homeQuery(publisherId));
  return (
    <CreatorPage title={t('Your earnings')}>
      {isSandbox && (
        <Text className={classes.sandbox}>{t('This publisher is a sandbox. No money is paid out.')}</Text>
      )}
      {data !== undefined ? (
        <Groups groups={data.groups} />
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your earnings')} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[176, 84, 120]} />
      )}
    </CreatorPage>
  );
}

function Groups({ groups }: { groups: readonly HomeGroup[] }) {
  return (
    <Stack gap="xl">
      {groups.toSorted(byStatus).map((group) => (
        <section key={`${group.groupId} ${group.accountId}`}>
          {groups.length > 1 && <GroupName group={group} groups={groups} />}
          <MemberNotice status={group.status} groupId={group.groupId} groupName={group.groupName} />
          {group.currencies.length === 0 ? (
            <NothingYet isCredited={group.status === 'Approved'} />
          ) : (
            <Stack gap="xl">
              {group.currencies.toSorted(byPayout).map((money) => (
                <CurrencyPart key={money.currency} group={group} money={money} />
              ))}
            </Stack>
          )}
        </section>
      ))}
    </Stack>
  );
}

/** Orders the currencies that are paid next before the others. */
const byPayout = (one: HomeCurrency, other: HomeCurrency): number =>
  Number(one.nextPayoutMinor === '0') - Number(other.nextPayoutMinor === '0');

/** Names a group, and the account if the creator has several. */
function GroupName({ group, groups }: { group: HomeGroup; groups: readonly HomeGroup[] }) {
  const hasAccounts = new Set(groups.map(({ accountId }) => accountId)).size > 1;
  return (
    <h2 className={classes.group}>
      {hasAccounts ? `${group.groupName} · ${group.accountName}` : group.groupName}
    </h2>
  );
}

function NothingYet({ isCredited }: { isCredited: boolean }) {
  if (!isCredited) return <Text c="dimmed">{t('No earnings yet.')}</Text>;
  return (
    <div className={classes.empty}>
      <Text fw={600}>{t('No earnings yet')}</Text>
      <Text c="dimmed" mb="md">
        {t('Share your code. Purchases with it appear here within seconds.')}
      </Text>
      <LinkButton to="/codes">{t('Show my codes')}</LinkButton>
    </div>
  );
}
