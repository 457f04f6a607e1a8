import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listSessionsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { endSession } from '../../../client/portal/sdk.gen.ts';
import type { Session } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { browserWords } from '../../../ui/browser-words.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { Skeletons } from '../../skeletons.tsx';
import classes from './you.module.css';

/** Browsers in which the person is signed in. */
export function Sessions() {
  const { data, error, refetch } = useQuery(listSessionsOptions());
  return (
    <section>
      <h2 className={classes.title}>{t('Signed in on')}</h2>
      {data !== undefined ? (
        <ul className={classes.rows}>
          {data.rows.map((session) => (
            <Row key={session.sessionId} session={session} onEnded={() => void refetch()} />
          ))}
        </ul>
      ) : error !== null ? (
        <Failing error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[60, 60]} isSilent />
      )}
      <Text size="sm" c="dimmed">
        {t('You’re signed out after 30 days, or after 14 days without a visit.')}
      </Text>
    </section>
  );
}

function Row({ session, onEnded }: { session: Session; onEnded(): void }) {
  const { error, isBusy, run } = useAttempt();
  const browser = browserWords(session.userAgent);
  const end = async (): Promise<void> => {
    await endSession({ path: { sessionId: session.sessionId }, throwOnError: true });
    announce(t('Signed out on {browser}', { browser }));
    onEnded();
  };
  return (
    <li className={classes.session}>
      <div>
        <p className={classes.name}>{browser}</p>
        <p className={classes.facts}>
          {session.isThis
            ? t('This device')
            : t('Last used {when}', { when: formatWhen(session.lastSeenAt, 'viewer', 'minute') })}
        </p>
        {error !== null && <Failing error={error} />}
      </div>
      {!session.isThis && (
        <Button
          variant="default"
          size="md"
          loading={isBusy}
          aria-label={t('Sign out on {browser}', { browser })}
          onClick={() => void run(end)}
        >
          {t('Sign out')}
        </Button>
      )}
    </li>
  );
}
