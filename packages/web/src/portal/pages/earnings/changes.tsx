import type { ChangeOfEarning, ExplainedEarning } from '../../../client/portal/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import list from '../../list.module.css';

/** Everything that changed the share after the purchase, oldest first. */
export function Changes({ explained: { changes, adjustments, earning } }: { explained: ExplainedEarning }) {
  const { zone } = usePreferences();
  if (changes.length === 0) return null;
  const day = (at: string): string => formatWhen(at, zone, 'day');
  return (
    <>
      <h2 className={list.section}>{t('Since then')}</h2>
      <ul className={list.list}>
        {changes.map((change) => (
          <Line
            key={`${change.action} ${change.at}`}
            title={t('{what} on {day}', { what: wordOf(change.action), day: day(change.at) })}
            facts={
              change.reinstatedAt === null
                ? null
                : t('reinstated on {day}', { day: day(change.reinstatedAt) })
            }
            minor={`-${change.shareMinor}`}
            currency={earning.currency}
          />
        ))}
      </ul>
      {adjustments.length > 0 && (
        <>
          <p className={list.note}>
            {t('This amount was already in a payout, so later payouts were adjusted:')}
          </p>
          <ul className={list.list}>
            {adjustments.map(({ kind, amountMinor, at, payoutNumber }) => (
              <Line
                key={`${kind} ${at}`}
                title={kind === 'clawback' ? t('Deducted') : t('Added back')}
                facts={
                  payoutNumber === null
                    ? t('in a later payout')
                    : t('in payout {number}', { number: String(payoutNumber) })
                }
                minor={amountMinor}
                currency={earning.currency}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface LineProps {
  title: string;
  facts: string | null;
  minor: string;
  currency: string;
}

const Line = ({ title, facts, minor, currency }: LineProps) => (
  <li className={list.row}>
    <div className={list.link}>
      <span className={list.words}>
        <span className={list.title}>{title}</span>
        {facts !== null && <span className={list.facts}>{facts}</span>}
      </span>
      <span className={list.amount}>
        <Money minor={minor === '-0' ? '0' : minor} currency={currency} isSigned />
      </span>
    </div>
  </li>
);

function wordOf(action: ChangeOfEarning['action']): string {
  if (action === 'Chargeback') return t('Charged back');
  return action === 'Fraud' ? t('Marked as fraud') : t('Refunded');
}
