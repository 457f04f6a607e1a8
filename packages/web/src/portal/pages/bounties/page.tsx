import { Text } from '@mantine/core';
import { listBountiesQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { listBounties } from '../../../client/portal/sdk.gen.ts';
import type { BountyOfCreator, BountyState } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import list from '../../list.module.css';
import { Back, More } from '../../list.tsx';
import { goTo, usePlace } from '../../place.ts';
import { usePublisher } from '../../publisher.ts';
import { Select } from '../../select.tsx';
import { Skeletons } from '../../skeletons.tsx';
import { useRows } from '../../use-rows.ts';
import classes from './bounties.module.css';
import { BountyCard } from './bounty-card.tsx';

const states: readonly BountyState[] = ['running', 'coming', 'over'];

/** Bounties of the creator's groups, with the creator's progress. */
export function Page() {
  const { publisherId } = usePublisher();
  const { query: place } = usePlace();
  const state = states.find((each) => each === place.state) ?? 'running';
  const query = { publisher: publisherId, state };
  const { rows, error, retry, more } = useRows<BountyOfCreator>(
    [...listBountiesQueryKey({ query }), 'all'],
    async (cursor, signal) => {
      const { data } = await listBounties({
        query: { ...query, ...(cursor !== undefined && { cursor }) },
        signal,
        throwOnError: true,
      });
      return data;
    },
  );
  return (
    <>
      <Back to="/earnings">{t('Earnings')}</Back>
      <CreatorPage title={t('Bounties')}>
        <div className={list.filters}>
          <Select
            label={t('Show')}
            value={state}
            data={[
              { value: 'running', label: t('Open') },
              { value: 'coming', label: t('Upcoming') },
              { value: 'over', label: t('Ended') },
            ]}
            onChange={({ currentTarget: { value } }) =>
              goTo('/bounties', { query: value === 'running' ? {} : { state: value }, replaces: true })
            }
          />
        </div>
        {rows !== undefined ? (
          <>
            {rows.length === 0 && <Text mt="md">{emptyText(state)}</Text>}
            <ul className={classes.cards}>
              {rows.map((bounty) => (
                <BountyCard key={`${bounty.bountyId} ${bounty.accountId}`} bounty={bounty} />
              ))}
            </ul>
            <More more={more} error={error} retry={retry} />
          </>
        ) : error !== null ? (
          <Failing error={error} title={t('Couldn’t load the bounties')} onRetry={retry} />
        ) : (
          <Skeletons heights={[28, 180, 180]} />
        )}
      </CreatorPage>
    </>
  );
}

function emptyText(state: BountyState): string {
  switch (state) {
    case 'running':
      return t('No bounties are open right now.');
    case 'coming':
      return t('No bounties are planned.');
    case 'over':
      return t('You didn’t take part in any bounty that has ended.');
  }
}
