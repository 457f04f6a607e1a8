import { Text } from '@mantine/core';
import { listPayoutsQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { listPayouts } from '../../../client/portal/sdk.gen.ts';
import type { PayoutOfCreator } from '../../../client/portal/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { Link } from '../../link.tsx';
import { LinkButton } from '../../link-button.tsx';
import list from '../../list.module.css';
import { More, RowLink } from '../../list.tsx';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { useRows } from '../../use-rows.ts';
import { stateTitle } from './payout-words.ts';

/** The creator's payouts, latest first. */
export function PayoutList() {
  const { publisherId, name } = usePublisher();
  const { zone } = usePreferences();
  const query = { publisher: publisherId };
  const { rows, error, retry, more } = useRows<PayoutOfCreator>(
    [...listPayoutsQueryKey({ query }), 'all'],
    async (cursor, signal) => {
      const { data } = await listPayouts({
        query: { ...query, ...(cursor !== undefined && { cursor }) },
        signal,
        throwOnError: true,
      });
      return data;
    },
  );
  return (
    <CreatorPage title={t('Payouts')}>
      <p className={list.links}>
        <Link to="/statements" className={list.back}>
          {t('Statements')} <span aria-hidden="true">›</span>
        </Link>
      </p>
      {rows !== undefined ? (
        <>
          {rows.length === 0 && (
            <div className={list.card}>
              <Text fw={600}>{t('No payouts yet')}</Text>
              <Text c="dimmed" mb="md">
                {t('Home shows what {publisher} would pay you next, and when.', { publisher: name })}
              </Text>
              <LinkButton to="/">{t('Show my earnings')}</LinkButton>
            </div>
          )}
          <ul className={list.list}>
            {rows.map((payout) => (
              <RowLink
                key={payout.lineId}
                to={`/payouts/${payout.lineId}`}
                title={stateTitle(payout)}
                facts={[
                  formatWhen(payout.stateAt, zone, 'day'),
                  t('Payout {number}', { number: String(payout.number) }),
                  ...(payout.method === null ? [] : [payout.method.hint]),
                ]}
                amount={<Money minor={payout.amountMinor} currency={payout.currency} />}
              />
            ))}
          </ul>
          <More more={more} error={error} retry={retry} />
        </>
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your payouts')} onRetry={retry} />
      ) : (
        <Skeletons heights={[28, 56, 56, 56]} />
      )}
    </CreatorPage>
  );
}
