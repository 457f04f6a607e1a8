import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listPayoutMethodsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { PayoutMethod, PayoutMethods } from '../../../client/portal/types.gen.ts';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { methodName } from '../../method-name.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { YouPage } from '../../you-page.tsx';
import classes from './payout-method.module.css';

/** Payout methods of the creator at the publisher, with the day from which a new one is used. */
export function Methods() {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(listPayoutMethodsOptions({ query: { publisher: publisherId } }));
  return (
    <YouPage title={t('Payout method')}>
      {data !== undefined ? (
        <Shown data={data} />
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your payout method')} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[96, 44, 44]} />
      )}
    </YouPage>
  );
}

function Shown({ data: { methods, waitDays, isNeeded, isUnderReview } }: { data: PayoutMethods }) {
  const { name: publisher } = usePublisher();
  const isNamed = new Set(methods.map(({ accountName }) => accountName)).size > 1;
  const hasOpen = methods.some(({ state }) => state !== 'Ended');
  return (
    <Stack>
      {isUnderReview && (
        <Alert color="orange" title={t('Payouts are on hold')}>
          {t(
            '{publisher} is checking your account before paying you. Contact {publisher} if you have questions.',
            {
              publisher,
            },
          )}
        </Alert>
      )}
      {!hasOpen && (
        <Text>
          {isNeeded
            ? t('{publisher} can pay you once you’ve entered a payout method.', { publisher })
            : t('Enter where {publisher} should pay you.', { publisher })}
        </Text>
      )}
      {methods.length > 0 && (
        <ul className={classes.methods}>
          {methods.map((method) => (
            <Method key={method.methodId} method={method} isNamed={isNamed} />
          ))}
        </ul>
      )}
      <LinkButton to="/payout-method/new">
        {hasOpen ? t('Enter a new payout method') : t('Enter a payout method')}
      </LinkButton>
      <Text size="sm" c="dimmed">
        {waitDays === 0
          ? t('A new payout method is used for the next payout. You’ll get an email about each change.')
          : t(
              '{count, plural, one {A new payout method isn’t used for # day,} other {A new payout method isn’t used for # days,}} in case someone else added it. Until then, you aren’t paid to the old one either. You’ll get an email about each change.',
              { count: waitDays },
            )}
      </Text>
      <Text size="sm" c="dimmed">
        {t('You can have a bank account for euros and another method for all currencies.')}
      </Text>
    </Stack>
  );
}

function Method({ method, isNamed }: { method: PayoutMethod; isNamed: boolean }) {
  const { methodId, kind, hint, state, accountName, isOwn } = method;
  const { zone } = usePreferences();
  const { name: publisher } = usePublisher();
  const day = (at: string | null): string => (at === null ? '' : formatWhen(at, zone, 'day'));
  return (
    <li data-state={state}>
      <div className={classes.words}>
        <p className={classes.name}>{methodName(kind)}</p>
        <p className={classes.hint} dir="ltr">
          {hint}
        </p>
        <p className={classes.state}>{stateText(method, day, publisher)}</p>
        <p className={classes.facts}>
          {[
            isNamed ? t('Creator account {account}', { account: accountName }) : null,
            isOwn
              ? t('Entered by you on {day}', { day: day(method.enteredAt) })
              : t('Entered by {publisher} on {day}', { publisher, day: day(method.enteredAt) }),
          ]
            .filter((fact) => fact !== null)
            .join(' · ')}
        </p>
      </div>
      {state !== 'Ended' && (
        <LinkButton to={`/payout-method/${methodId}`} variant="default">
          {t('Remove')}
        </LinkButton>
      )}
    </li>
  );
}

function stateText(
  { state, usableFrom, endedAt, isEndedByOwner }: PayoutMethod,
  day: (at: string | null) => string,
  publisher: string,
): string {
  switch (state) {
    case 'Usable':
      return t('Used for payouts');
    case 'New':
      return t('Used for payouts from {day}', { day: day(usableFrom) });
    case 'Waiting':
      return t('{publisher} is checking it. Nothing is paid to it until then.', { publisher });
    case 'Ended':
      return isEndedByOwner
        ? t('Not used anymore. You removed it on {day}.', { day: day(endedAt) })
        : t('Not used anymore. {publisher} ended it on {day}. Ask {publisher} why.', {
            publisher,
            day: day(endedAt),
          });
  }
}
