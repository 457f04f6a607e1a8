import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getPayoutOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { PayoutDetailOfCreator } from '../../../client/portal/types.gen.ts';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import list from '../../list.module.css';
import { Back, FactList } from '../../list.tsx';
import { methodName } from '../../method-name.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { resultName, stateNote, stateTitle } from './payout-words.ts';
import classes from './payouts.module.css';

/** One payout: what became of the payment, and what it consists of. */
export function PayoutDetail({ lineId }: { lineId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    getPayoutOptions({ path: { lineId }, query: { publisher: publisherId } }),
  );
  return (
    <>
      <Back to="/payouts">{t('All payouts')}</Back>
      <CreatorPage
        title={data === undefined ? t('Payout') : t('Payout {number}', { number: String(data.number) })}
      >
        {data !== undefined ? (
          <Detail payout={data} />
        ) : error !== null ? (
          <Failing error={error} title={t('Couldn’t load this payout')} onRetry={() => void refetch()} />
        ) : (
          <Skeletons heights={[28, 96, 44, 44, 44]} />
        )}
      </CreatorPage>
    </>
  );
}

function Detail({ payout }: { payout: PayoutDetailOfCreator }) {
  const { zone } = usePreferences();
  const { name } = usePublisher();
  const { amountMinor, currency, method, results, adjustmentsMinor } = payout;
  const day = (at: string): string => formatWhen(at, zone, 'day');
  return (
    <>
      <p className={classes.amount}>
        <Money minor={amountMinor} currency={currency} />
      </p>
      <State payout={payout} />
      <FactList
        facts={[
          [t('Created'), day(payout.createdAt)],
          [t('Sent to'), method === null ? null : `${methodName(method.kind)} ${method.hint}`],
          [t('Reference'), payout.reference],
          [t('Group'), payout.groupName],
        ]}
      />
      <h2 className={list.section}>{t('What’s included')}</h2>
      <FactList
        facts={[
          [
            t('{count, plural, one {# purchase} other {# purchases}}', { count: payout.purchaseCount }),
            <Money key="purchases" minor={payout.purchasesMinor} currency={currency} />,
          ],
          [
            t('{count, plural, one {# bounty reward} other {# bounty rewards}}', {
              count: payout.rewardCount,
            }),
            payout.rewardCount === 0 ? null : (
              <Money key="rewards" minor={payout.rewardsMinor} currency={currency} />
            ),
          ],
          [
            adjustmentsMinor.startsWith('-')
              ? t('Deducted for earlier payouts')
              : t('Added back, or carried over from returned payments'),
            adjustmentsMinor === '0' ? null : (
              <Money key="adjustments" minor={adjustmentsMinor} currency={currency} isSigned />
            ),
          ],
        ]}
      />
      {results.length > 0 && (
        <>
          <h2 className={list.section}>{t('History')}</h2>
          <FactList facts={results.map(({ result, at }) => [resultName(result), day(at)] as const)} />
        </>
      )}
      <Text mt="md" size="sm" c="dimmed">
        {t('Questions? Contact {publisher} and give this reference.', { publisher: name })}
      </Text>
    </>
  );
}

/** State with its consequence, and the publisher's note. */
function State({ payout }: { payout: PayoutDetailOfCreator }) {
  const { zone } = usePreferences();
  const { name } = usePublisher();
  const { state, stateAt, note, collectBy, owedAgain, currency, method } = payout;
  const isProblem = state === 'failed' || state === 'returned';
  const text = stateNote(payout, name);
  // An alert whose lines are all absent would have an empty space below its title.
  const hasLines = isProblem || text !== null || collectBy !== null || owedAgain !== null;
  return (
    <Alert
      mb="md"
      color={isProblem ? 'orange' : 'accent'}
      title={t('{state}, {day}', { state: stateTitle(payout), day: formatWhen(stateAt, zone, 'day') })}
    >
      {hasLines && (
        <>
          {note !== null && isProblem && <p className={classes.line}>{t('Reason: {note}', { note })}</p>}
          {owedAgain !== null && (
            <p className={classes.line}>
              {owedAgain.payoutNumber === null
                ? t('{amount} is in your balance again, and will be in a later payout.', {
                    amount: formatMoney(owedAgain.amountMinor, currency),
                  })
                : t('{amount} is in payout {number}.', {
                    amount: formatMoney(owedAgain.amountMinor, currency),
                    number: String(owedAgain.payoutNumber),
                  })}
            </p>
          )}
          {text !== null && <p className={classes.line}>{text}</p>}
          {collectBy !== null && method !== null && (
            <p className={classes.line}>
              {t(
                'Haven’t collected it yet? Look for {provider}’s email, and collect the money by {day}. Otherwise, it goes back to {publisher}.',
                {
                  provider: methodName(method.kind),
                  day: formatWhen(collectBy, zone, 'day'),
                  publisher: name,
                },
              )}
            </p>
          )}
          {isProblem && (
            <div className={classes.action}>
              <LinkButton to="/payout-method" variant="default">
                {t('See your payout method')}
              </LinkButton>
            </div>
          )}
        </>
      )}
    </Alert>
  );
}
