import type { HomeCurrency, HomeGroup } from '../../../client/portal/types.gen.ts';
import { nowMs } from '../../../ui/clock.ts';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { usePublisher } from '../../publisher.ts';
import classes from './home.module.css';
import { Waiting } from './waiting.tsx';

/** Amounts of a group in one currency. */
export function CurrencyPart({ group, money }: { group: HomeGroup; money: HomeCurrency }) {
  const { currency, todayMinor, monthMinor, balanceMinor, waiting } = money;
  return (
    <div>
      <NextPayout group={group} money={money} />
      <dl className={classes.figures}>
        <div>
          <dt>{t('Today')}</dt>
          <dd>
            <Money minor={todayMinor} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t('This month')}</dt>
          <dd>
            <Money minor={monthMinor} currency={currency} />
          </dd>
        </div>
        <div className={classes.balance}>
          <dt>{t('Balance')}</dt>
          <dd>
            <Money minor={balanceMinor} currency={currency} isSigned />
          </dd>
        </div>
      </dl>
      {waiting.length > 0 && <Waiting group={group} money={money} />}
    </div>
  );
}

function NextPayout({ group: { plannedFor }, money }: { group: HomeGroup; money: HomeCurrency }) {
  const { currency, nextPayoutMinor } = money;
  return (
    <div className={classes.payout} data-empty={nextPayoutMinor === '0' || undefined}>
      <p className={classes.payoutLabel}>{t('Next payout')}</p>
      <p className={classes.payoutAmount}>
        <Money minor={nextPayoutMinor} currency={currency} />
      </p>
      <p className={classes.payoutDay}>
        <PayoutDay plannedFor={plannedFor} />
      </p>
      {nextPayoutMinor === '0' && (
        <p className={classes.payoutNote}>{t('Nothing is ready to be paid yet.')}</p>
      )}
    </div>
  );
}

function PayoutDay({ plannedFor }: { plannedFor: string | null }) {
  const { name } = usePublisher();
  if (plannedFor === null) return t('{publisher} decides when', { publisher: name });
  const day = formatUtcDay(plannedFor);
  return Date.parse(plannedFor) > nowMs() - 86_400_000
    ? t('planned for {day}', { day })
    : t('was planned for {day}, but hasn’t been made yet', { day });
}
