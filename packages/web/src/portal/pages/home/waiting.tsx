import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type {
  HomeCurrency,
  HomeGroup,
  WaitingAmount,
  WaitingReason,
} from '../../../client/portal/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Link } from '../../link.tsx';
import { usePublisher } from '../../publisher.ts';
import { HoldDays } from './hold-days.tsx';
import classes from './home.module.css';

interface WaitingProps {
  group: HomeGroup;
  money: HomeCurrency;
}

/** Every amount that waits, with all of its reasons and their ends. */
export function Waiting({ group, money }: WaitingProps) {
  return (
    <>
      <h3 className={classes.waitingTitle}>{t('Waiting')}</h3>
      <ul className={classes.waiting}>
        {money.waiting.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and are replaced as a whole
          <Row key={at} row={row} group={group} money={money} />
        ))}
      </ul>
    </>
  );
}

function Row({ row: { amountMinor, reasons }, group, money }: WaitingProps & { row: WaitingAmount }) {
  const [showsDays, setShowsDays] = useState(false);
  return (
    <li>
      <div className={classes.reasons}>
        {reasons.map((reason) => (
          <Reason
            key={`${reason.kind} ${reason.until} ${reason.payoutNumber}`}
            reason={reason}
            money={money}
          />
        ))}
      </div>
      <span className={classes.amount}>
        <Money minor={amountMinor} currency={money.currency} isSigned />
      </span>
      {reasons.some(({ kind }) => kind === 'hold-period') && (
        <div className={classes.days}>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={showsDays}
            onClick={() => setShowsDays(!showsDays)}
          >
            {showsDays ? t('Hide the days') : t('Show each day')}
            <Icon name={showsDays ? 'up' : 'down'} />
          </UnstyledButton>
          {showsDays && <HoldDays group={group} currency={money.currency} />}
        </div>
      )}
    </li>
  );
}

function Reason({ reason, money }: { reason: WaitingReason; money: HomeCurrency }) {
  const { zone } = usePreferences();
  const { name } = usePublisher();
  const day = reason.until === null ? null : formatWhen(reason.until, zone, 'day');
  return (
    <div>
      <p className={classes.reason}>{titleOf(reason, day, name)}</p>
      <p className={classes.note}>{noteOf(reason, day, money, name)}</p>
      {isAboutMethod(reason) && (
        <Link to="/payout-method" className={classes.link}>
          {reason.kind === 'no-method' ? t('Enter a payout method') : t('See your payout method')}
        </Link>
      )}
      {reason.kind === 'minimum' && <Progress reason={reason} money={money} />}
    </div>
  );
}

const isAboutMethod = ({ kind }: WaitingReason): boolean => kind === 'no-method' || kind === 'new-method';

function titleOf({ kind, payoutNumber }: WaitingReason, day: string | null, publisher: string): string {
  switch (kind) {
    case 'hold':
      return day === null
        ? t('On hold by {publisher}', { publisher })
        : t('On hold by {publisher} until {day}', { publisher, day });
    case 'review':
      return day === null ? t('Under review') : t('Under review until {day}', { day });
    case 'tax':
      return t('Tax form missing');
    case 'no-method':
      return t('Payout method missing');
    case 'new-method':
      return day === null ? t('New payout method') : t('New payout method, used from {day}', { day });
    case 'minimum':
      return t('Below the minimum');
    case 'repaying':
      return t('Repaying');
    case 'hold-period':
      return t('In the hold period');
    case 'in-payout':
      return t('In payout {number}', { number: String(payoutNumber ?? '') });
  }
}

function noteOf(
  { kind, missingMinor }: WaitingReason,
  day: string | null,
  money: HomeCurrency,
  publisher: string,
): string {
  const { currency, minimumMinor } = money;
  switch (kind) {
    case 'hold':
      return t('{publisher} is holding this amount for now. Ask {publisher} why.', { publisher });
    case 'review':
      return t('{publisher} is reviewing your account before paying you.', { publisher });
    case 'tax':
      return t('{publisher} needs your tax form. Ask {publisher} where to send it.', { publisher });
    case 'no-method':
      return t('{publisher} has no payout method for sending you {currency}.', { publisher, currency });
    case 'new-method':
      return t('A new payout method isn’t used for a few days, in case someone else added it.');
    case 'minimum':
      return t('Earn {missing} more to get paid. The minimum is {minimum}.', {
        missing: formatMoney(missingMinor ?? '0', currency),
        minimum: formatMoney(minimumMinor, currency),
      });
    case 'repaying':
      return t('Refunds exceeded what you earned. Your next earnings will make up the difference.');
    case 'hold-period':
      return day === null
        ? t('Purchases are held in case they’re refunded.')
        : t('Purchases are held in case they’re refunded. The first part is ready on {day}.', { day });
    case 'in-payout':
      return t('{publisher} has created this payout but hasn’t marked it as paid yet.', { publisher });
  }
}

/** Line that shows how much of the minimum has been earned. */
function Progress({ reason, money }: { reason: WaitingReason; money: HomeCurrency }) {
  const minimum = BigInt(money.minimumMinor);
  if (minimum <= 0n || reason.missingMinor === null) return null;
  const percent = Number(((minimum - BigInt(reason.missingMinor)) * 100n) / minimum);
  return (
    <div className={classes.progress} aria-hidden="true">
      <div style={{ inlineSize: `${Math.min(100, Math.max(0, percent))}%` }} />
    </div>
  );
}
