import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRatesOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { GroupRates } from '../../../client/portal/types.gen.ts';
import { formatPercent } from '../../../ui/percent.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import list from '../../list.module.css';
import { Back, FactList } from '../../list.tsx';
import { MemberNotice } from '../../member-notice.tsx';
import { usePublisher } from '../../publisher.ts';
import { ruleName } from '../../share-rule.ts';
import { Skeletons } from '../../skeletons.tsx';
import classes from './rates.module.css';

/** The creator's shares: now, in the next schedules, and of single products. */
export function Page() {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(getRatesOptions({ query: { publisher: publisherId } }));
  return (
    <>
      <Back to="/earnings">{t('Earnings')}</Back>
      <CreatorPage title={t('Your rates')}>
        {data !== undefined ? (
          <Stack gap="xl">
            {data.groups.map((group) => (
              <section key={`${group.groupId} ${group.accountId}`}>
                {data.groups.length > 1 && <h2 className={list.heading}>{group.groupName}</h2>}
                <MemberNotice status={group.status} groupId={group.groupId} groupName={group.groupName} />
                <Rates group={group} />
              </section>
            ))}
          </Stack>
        ) : error !== null ? (
          <Failing error={error} title={t('Couldn’t load your rates')} onRetry={() => void refetch()} />
        ) : (
          <Skeletons heights={[120, 56, 56]} />
        )}
      </CreatorPage>
    </>
  );
}

function Rates({ group }: { group: GroupRates }) {
  const { zone } = usePreferences();
  const { name } = usePublisher();
  const { now, until, usual, coming, products, hasMoreProducts, tierName } = group;
  const reasonOf = (rule: typeof now.rule): string =>
    rule === 'tier' && tierName !== null ? t('Your tier: {tier}', { tier: tierName }) : ruleName(rule, name);
  return (
    <>
      <div className={list.card}>
        <p>{t('Your share of each purchase is now')}</p>
        <p className={classes.now}>{formatPercent(now.percent)}</p>
        <p>{reasonOf(now.rule)}</p>
        {until !== null && (
          <p>
            {coming[0]?.startsAt === until
              ? t('Until {when}.', { when: formatWhen(until, zone, 'minute') })
              : t('Until {when}. Then {percent} again.', {
                  when: formatWhen(until, zone, 'minute'),
                  percent: formatPercent(usual.percent),
                })}
          </p>
        )}
      </div>
      <h3 className={list.section}>{t('Upcoming')}</h3>
      {coming.length === 0 && <Text c="dimmed">{t('No changes to your share are planned.')}</Text>}
      <ul className={list.list}>
        {coming.map(({ startsAt, endsAt, percent, rule }) => (
          <li key={startsAt} className={list.row}>
            <div className={list.link}>
              <span className={list.words}>
                <span className={list.title}>
                  {t('{start} to {end}', {
                    start: formatWhen(startsAt, zone, 'minute'),
                    end: formatWhen(endsAt, zone, 'minute'),
                  })}
                </span>
                <span className={list.facts}>{reasonOf(rule)}</span>
              </span>
              <span className={list.amount}>{formatPercent(percent)}</span>
            </div>
          </li>
        ))}
      </ul>
      {products.length > 0 && (
        <>
          <h3 className={list.section}>{t('Products with their own share')}</h3>
          <FactList facts={products.map(({ skuId, percent }) => [skuId, formatPercent(percent)] as const)} />
          {hasMoreProducts && <Text c="dimmed">{t('More products have their own share.')}</Text>}
        </>
      )}
      <Text mt="md" size="sm" c="dimmed">
        {t(
          '{publisher} can also set the share of a single purchase. Open a purchase to see how its share was decided.',
          {
            publisher: name,
          },
        )}
      </Text>
    </>
  );
}
