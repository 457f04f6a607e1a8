import { useQuery } from '@tanstack/react-query';
import { getHoldPeriodOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { HomeGroup } from '../../../client/portal/types.gen.ts';
import { nowMs } from '../../../ui/clock.ts';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import classes from './home.module.css';

interface HoldDaysProps {
  group: HomeGroup;
  currency: string;
}

/** Amounts that leave the hold period, by day. Read only when a creator opens the list, because Home must stay fast. */
export function HoldDays({ group: { groupId, accountId }, currency }: HoldDaysProps) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    getHoldPeriodOptions({ query: { publisher: publisherId, groupId } }),
  );
  if (data === undefined)
    return error === null ? (
      <Skeletons heights={[120]} />
    ) : (
      <Failing error={error} title={t('Couldn’t load the days')} onRetry={() => void refetch()} />
    );
  const membership = data.memberships.find((each) => each.accountId === accountId);
  const held = membership?.currencies.find((each) => each.currency === currency);
  if (held === undefined)
    return <p className={classes.note}>{t('Nothing is in the hold period anymore.')}</p>;
  return (
    <>
      <ul>
        {held.days.map(({ day, amountMinor }) => (
          <li key={day}>
            <span>{dayName(day)}</span>
            <Money minor={amountMinor} currency={currency} isSigned />
          </li>
        ))}
        {held.laterMinor !== '0' && (
          <li>
            <span>{t('Later')}</span>
            <Money minor={held.laterMinor} currency={currency} isSigned />
          </li>
        )}
      </ul>
      <p className={classes.note}>{t('Days are in UTC. Refunds can still lower the amounts.')}</p>
    </>
  );
}

function dayName(day: string): string {
  const today = new Date(nowMs()).toISOString().slice(0, 10);
  return day.startsWith(today) ? t('Today') : formatUtcDay(day);
}
