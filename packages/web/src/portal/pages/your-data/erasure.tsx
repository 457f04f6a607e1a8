import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getErasureOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { withdrawErasure } from '../../../client/portal/sdk.gen.ts';
import type { Erasure, OpenMoneyAtPublisher } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { nowMs } from '../../../ui/clock.ts';
import { Icon } from '../../../ui/icons.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { Skeletons } from '../../skeletons.tsx';
import { requestCode } from './confirm-erasure.tsx';
import { useErasure } from './use-erasure.ts';
import classes from './your-data.module.css';

/** Continues after a code was sent to an address. */
type OnAsked = (email: string) => void;

/** Request to erase the person's data, which can be withdrawn for some days. */
export function ErasureSection({ onAsked }: { onAsked: OnAsked }) {
  const { data, error, refetch } = useQuery(getErasureOptions());
  return (
    <section>
      <h2 className={classes.title}>{t('Erasure')}</h2>
      {data !== undefined ? (
        data.request === null ? (
          <Request erasure={data} onAsked={onAsked} />
        ) : (
          <Requested erasure={data} request={data.request} />
        )
      ) : error !== null ? (
        <Failing error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[96, 44]} />
      )}
    </section>
  );
}

function Request({ erasure, onAsked }: { erasure: Erasure; onAsked: OnAsked }) {
  const [isAsking, setAsking] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const request = async (): Promise<void> => onAsked(await requestCode());
  return (
    <Stack>
      <Text>
        {t(
          'You can have your personal data erased at all publishers. You then lose your creator accounts and access to your earnings, and your codes stop earning.',
        )}
      </Text>
      <Text>
        {t(
          'Publishers keep the amounts of your purchases and payouts, without your name, for their books. Issued monthly statements keep your name.',
        )}
      </Text>
      <OpenMoney openMoney={erasure.openMoney} />
      {error !== null && <Failing error={error} title={t('Nothing was requested')} />}
      {isAsking ? (
        <Alert color="red" role="group" icon={<Icon name="alert" />} title={t('Erase your data?')}>
          <Stack gap="sm">
            <Text size="sm">
              {t('It happens in {days} days. Until then, you can change your mind on this page.', {
                days: erasure.withdrawalDays,
              })}
            </Text>
            <Group gap="xs">
              <Button size="md" color="red" loading={isBusy} onClick={() => void run(request)}>
                {t('Erase my data')}
              </Button>
              <Button size="md" variant="default" onClick={() => setAsking(false)}>
                {t('Keep my data')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : (
        <Button size="md" variant="default" className={classes.start} onClick={() => setAsking(true)}>
          {t('Request erasure')}
        </Button>
      )}
    </Stack>
  );
}

function Requested({ erasure, request }: { erasure: Erasure; request: NonNullable<Erasure['request']> }) {
  const { error, isBusy, run } = useAttempt();
  const save = useErasure();
  const withdraw = async (): Promise<void> => {
    const { data } = await withdrawErasure({ throwOnError: true });
    save(data);
    announce(t('Your data is kept'));
  };
  return (
    <Stack>
      <Alert
        color="orange"
        role="status"
        icon={<Icon name="info" />}
        title={t('You requested the erasure of your data')}
      >
        <Text size="sm">
          {request.hasStarted
            ? t('The erasure has started and can’t be stopped. You’ll be signed out when it’s done.')
            : Date.parse(request.dueAt) <= nowMs() && erasure.openMoney.length === 0
              ? t('Your data will be erased soon. You can change your mind until then.')
              : erasure.openMoney.length > 0
                ? t('Your data will be erased on {day}, or once the money below is settled.', {
                    day: formatWhen(request.dueAt, 'viewer', 'day'),
                  })
                : t('Your data will be erased on {day}. You can change your mind until then.', {
                    day: formatWhen(request.dueAt, 'viewer', 'day'),
                  })}
        </Text>
      </Alert>
      <OpenMoney openMoney={erasure.openMoney} />
      {error !== null && <Failing error={error} title={t('Your request wasn’t canceled')} />}
      {!request.hasStarted && (
        <Button size="md" className={classes.start} loading={isBusy} onClick={() => void run(withdraw)}>
          {t('Keep my data')}
        </Button>
      )}
    </Stack>
  );
}

/** Money that the erasure waits for. */
function OpenMoney({ openMoney }: { openMoney: readonly OpenMoneyAtPublisher[] }) {
  if (openMoney.length === 0) return null;
  return (
    <div>
      <h3 className={classes.subtitle}>{t('Nothing is erased before this is paid or settled')}</h3>
      <ul className={classes.rows}>
        {openMoney.flatMap(({ publisher, owed, isOnItsWay }) => [
          ...owed.map(({ currency, amountMinor }) => (
            <li key={`${publisher.publisherId} ${currency}`}>
              {amountMinor.startsWith('-')
                ? t('You owe {publisher} {amount}. Ask the publisher what to do.', {
                    publisher: publisher.name,
                    amount: formatMoney(amountMinor.slice(1), currency),
                  })
                : t('{publisher} owes you {amount}.', {
                    publisher: publisher.name,
                    amount: formatMoney(amountMinor, currency),
                  })}
            </li>
          )),
          ...(isOnItsWay
            ? [
                <li key={`${publisher.publisherId} way`}>
                  {t('Money from {publisher} is on its way.', { publisher: publisher.name })}
                </li>,
              ]
            : []),
        ])}
      </ul>
    </div>
  );
}
