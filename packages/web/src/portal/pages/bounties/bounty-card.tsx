import type {
  BountyOfCreator,
  ObjectiveOfCreator,
  RewardOfBounty,
} from '../../../client/portal/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import list from '../../list.module.css';
import classes from './bounties.module.css';

/** Bounty with progress, what is missing, the rewards and the completions. */
export function BountyCard({ bounty }: { bounty: BountyOfCreator }) {
  const { name, description, rewardDescription, objectives, rewards, prerequisites, completions } = bounty;
  const missing = prerequisites.filter(({ isComplete }) => !isComplete);
  return (
    <li className={list.card}>
      <h2 className={classes.name}>{name}</h2>
      <p className={list.note}>{useTimes(bounty)}</p>
      {description !== null && <p className={classes.text}>{description}</p>}
      <h3 className={classes.part}>{rewards.length === 1 ? t('Reward') : t('Rewards')}</h3>
      <ul className={list.list}>
        {rewards.map((reward) => (
          <li key={reward.name}>{rewardText(reward)}</li>
        ))}
      </ul>
      {rewardDescription !== null && <p className={list.note}>{rewardDescription}</p>}
      {bounty.isComplete ? (
        <p className={classes.done}>{t('Completed')}</p>
      ) : (
        <>
          <h3 className={classes.part}>{t('Your progress')}</h3>
          <ul className={list.list}>
            {objectives.map((objective) => (
              <Progress key={objective.name} objective={objective} />
            ))}
          </ul>
          {missing.length > 0 && (
            <p className={list.note}>
              {t('Complete first: {bounties}', { bounties: missing.map((each) => each.name).join(', ') })}
            </p>
          )}
        </>
      )}
      <Completions completions={completions} />
    </li>
  );
}

function useTimes({ startsAt, endsAt, state, groupName, limit, completionCount }: BountyOfCreator): string {
  const { zone } = usePreferences();
  const when = (at: string): string => formatWhen(at, zone, 'minute');
  const parts = [
    groupName,
    state === 'coming' ? t('starts on {when}', { when: when(startsAt) }) : null,
    endsAt === null
      ? null
      : state === 'over'
        ? t('ended on {when}', { when: when(endsAt) })
        : t('ends on {when}', { when: when(endsAt) }),
    limit === null
      ? t('completed {count, plural, one {# time} other {# times}}', { count: completionCount })
      : limit === 1
        ? null
        : t('completed {count} of {limit} times', {
            count: formatCount(completionCount),
            limit: formatCount(limit),
          }),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

function Progress({ objective }: { objective: ObjectiveOfCreator }) {
  const { name, count, target, missing, products } = objective;
  const percent = Number((BigInt(count) * 100n) / BigInt(target));
  return (
    <li className={classes.objective}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>
        {t('{count} of {target}', { count: amountOf(objective, count), target: amountOf(objective, target) })}
        {missing !== '0' && ` · ${t('{missing} to go', { missing: amountOf(objective, missing) })}`}
      </p>
      <div className={classes.progress} aria-hidden="true">
        <div style={{ inlineSize: `${percent}%` }} />
      </div>
      <p className={list.note}>{countsWhat(objective)}</p>
      {products.length > 0 && (
        <p className={list.note}>{t('Only these products: {products}', { products: products.join(', ') })}</p>
      )}
    </li>
  );
}

const amountOf = ({ condition, currency }: ObjectiveOfCreator, value: string): string =>
  condition === 'Amount' && currency !== null ? formatMoney(value, currency) : formatCount(Number(value));

function countsWhat({ type, condition, currency }: ObjectiveOfCreator): string {
  if (type === 'NewPlayers') return t('Players whose first purchase is with your code');
  if (type === 'Event') return t('Events in the game');
  if (condition === 'Amount') return t('Value of purchases with your code');
  return currency === null
    ? t('Purchases with your code')
    : t('Purchases in {currency} with your code', { currency });
}

const rewardText = ({ name, amountMinor, currency }: RewardOfBounty): string =>
  amountMinor === null || currency === null ? name : `${name}: ${formatMoney(amountMinor, currency)}`;

function Completions({ completions }: Pick<BountyOfCreator, 'completions'>) {
  const { zone } = usePreferences();
  if (completions.length === 0) return null;
  return (
    <>
      <h3 className={classes.part}>{t('Completions')}</h3>
      <ul className={list.list}>
        {completions.map(({ number, completedAt, rewards }) => (
          <li key={number} className={classes.completion}>
            {formatWhen(completedAt, zone, 'minute')}
            {rewards.some(({ isDelivered }) => !isDelivered) && (
              <span className={list.note}>
                {' '}
                {t('not delivered yet: {rewards}', {
                  rewards: rewards
                    .filter(({ isDelivered }) => !isDelivered)
                    .map(({ name }) => name)
                    .join(', '),
                })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
