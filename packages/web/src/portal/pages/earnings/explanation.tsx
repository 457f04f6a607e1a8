import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { explainEarningOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { ExplainedEarning } from '../../../client/portal/types.gen.ts';
import { arithmetic, roundingRule } from '../../../ui/arithmetic.ts';
import { nowMs } from '../../../ui/clock.ts';
import { Money } from '../../../ui/money.tsx';
import { formatPercent } from '../../../ui/percent.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { Link } from '../../link.tsx';
import list from '../../list.module.css';
import { Back, FactList } from '../../list.tsx';
import { usePublisher } from '../../publisher.ts';
import { ruleName } from '../../share-rule.ts';
import { Skeletons } from '../../skeletons.tsx';
import { Changes } from './changes.tsx';
import { netOf, stateWords } from './earning-words.ts';
import classes from './explanation.module.css';

/** One purchase: how its share was calculated, and what happened to it since. */
export function Explanation({ earningId }: { earningId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    explainEarningOptions({ path: { earningId }, query: { publisher: publisherId } }),
  );
  return (
    <>
      <Back to="/earnings">{t('All earnings')}</Back>
      <CreatorPage title={data === undefined ? t('Purchase') : titleOf(data)}>
        {data !== undefined ? (
          <Explained explained={data} />
        ) : error !== null ? (
          <Failing error={error} title={t('Couldn’t load this purchase')} onRetry={() => void refetch()} />
        ) : (
          <Skeletons heights={[28, 44, 44, 44, 150]} />
        )}
      </CreatorPage>
    </>
  );
}

const titleOf = ({ earning: { description } }: ExplainedEarning): string =>
  description === '' ? t('Purchase') : description;

function Explained({ explained }: { explained: ExplainedEarning }) {
  const { earning, explanation, isSplit, hold, heldUntil } = explained;
  const { zone } = usePreferences();
  const { name } = usePublisher();
  const waits = earning.state === 'earned' || earning.state === 'arriving';
  const { payout } = earning;
  return (
    <>
      <p className={classes.amount}>
        <Money minor={netOf(earning)} currency={earning.currency} isSigned />
      </p>
      <FactList
        facts={[
          [t('Status'), stateWords(earning)],
          [t('Purchased'), formatWhen(earning.transactionDate, zone, 'minute')],
          [
            t('Code'),
            explanation.usesPlayerCode ? t('{code}, entered earlier by the player', earning) : earning.code,
          ],
          [t('Group'), earning.groupName],
          [
            t('Payout'),
            payout?.lineId ? (
              <Link key="payout" to={`/payouts/${payout.lineId}`}>
                {t('Payout {number}', { number: String(payout.number) })}
              </Link>
            ) : null,
          ],
          [
            t('Hold period'),
            waits && Date.parse(heldUntil) > nowMs()
              ? t('until {day}', { day: formatWhen(heldUntil, zone, 'day') })
              : null,
          ],
          [
            t('On hold by {publisher}', { publisher: name }),
            hold === null
              ? null
              : hold.endsAt === null
                ? t('until it is released')
                : t('until {day}', { day: formatWhen(hold.endsAt, zone, 'day') }),
          ],
        ]}
      />
      <h2 className={list.section}>{t('Why this amount')}</h2>
      {isSplit && (
        <Text mb="xs">{t('This purchase was split between several creators. This is your part.')}</Text>
      )}
      <Text c="dimmed">{t('The first of these that applied to the purchase decided your share.')}</Text>
      <Rules explanation={explanation} />
      <p className={classes.arithmetic}>{arithmetic(explanation)}</p>
      {explanation.exact !== explanation.shareMinor && <Text c="dimmed">{roundingRule()}</Text>}
      <Changes explained={explained} />
      <h2 className={list.section}>{t('Questions?')}</h2>
      <Text>
        {t('Give {publisher} this reference. It identifies the purchase but not the buyer:', {
          publisher: name,
        })}
      </Text>
      <p className={classes.reference} dir="ltr">
        {earning.reference}
      </p>
    </>
  );
}

function Rules({ explanation: { offers, rule } }: Pick<ExplainedEarning, 'explanation'>) {
  const { zone } = usePreferences();
  const { name } = usePublisher();
  return (
    <ol className={classes.rules}>
      {offers.map((offer) => (
        <li key={offer.rule} data-applied={offer.rule === rule || undefined}>
          <span>
            {ruleName(offer.rule, name)}
            {offer.source !== null && <span className={list.note}> {offer.source}</span>}
            {offer.window !== null && (
              <span className={list.note}>
                {' '}
                {t('{start} to {end}', {
                  start: formatWhen(offer.window.startsAt, zone, 'day'),
                  end: formatWhen(offer.window.endsAt, zone, 'day'),
                })}
              </span>
            )}
            {offer.rule === rule && <strong className={classes.applied}>{t('applied')}</strong>}
          </span>
          <span className={classes.percent}>
            {offer.percent === null ? t('none') : formatPercent(offer.percent)}
          </span>
        </li>
      ))}
    </ol>
  );
}
