import { Alert, Button, Stack, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { enterAccessFileCode, requestAccessFileCode } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { nowMs } from '../../../ui/clock.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { EmailedCode } from '../../emailed-code.tsx';
import { Failing } from '../../failing.tsx';
import classes from './your-data.module.css';

interface DownloadProps {
  /** End of the time in which the file can be downloaded; null before the code was entered. */
  allowedUntil: string | null;
  /** Ends that time. */
  onEnded(): void;
  /** Continues after a code was sent to an address. */
  onAsked(email: string): void;
}

/** File of what is stored about the person, which needs an emailed code. */
export function Download({ allowedUntil, onEnded, onAsked }: DownloadProps) {
  const { error, isBusy, run } = useAttempt();
  const ask = async (): Promise<void> => onAsked(await requestCode());
  const endIfLate = (event: MouseEvent, until: string): void => {
    if (Date.parse(until) > nowMs()) return;
    event.preventDefault();
    onEnded();
  };
  return (
    <section>
      <h2 className={classes.title}>{t('Download')}</h2>
      <Stack>
        <Text>
          {t(
            'The file contains what is stored about you: your sign-in, your creator accounts, and what you earned at each publisher. It’s a JSON file, meant for programs and experts. For notes that a publisher’s staff wrote about you, ask the publisher.',
          )}
        </Text>
        {error !== null && <Failing error={error} />}
        {allowedUntil === null ? (
          <Button
            size="md"
            variant="default"
            className={classes.start}
            loading={isBusy}
            onClick={() => void run(ask)}
          >
            {t('Get your data')}
          </Button>
        ) : (
          <Alert
            role="status"
            icon={<Icon name="info" />}
            title={t('Available until {time}', {
              time: formatWhen(allowedUntil, 'viewer', 'time'),
            })}
          >
            <Button
              component="a"
              href="/portal/v1/access-file"
              download
              size="md"
              leftSection={<Icon name="download" size={16} />}
              onClick={(event) => endIfLate(event, allowedUntil)}
            >
              {t('Download your data')}
            </Button>
          </Alert>
        )}
      </Stack>
    </section>
  );
}

interface ConfirmDownloadProps {
  email: string;
  onAllowed(until: string): void;
  onBack(): void;
}

/** Form for the code that allows the download. */
export const ConfirmDownload = ({ email, onAllowed, onBack }: ConfirmDownloadProps) => (
  <EmailedCode
    title={t('Confirm it’s you')}
    email={email}
    minutes={10}
    failure={t('That didn’t work')}
    action={t('Continue')}
    onConfirm={async (code) => {
      const { data } = await enterAccessFileCode({ body: { code }, throwOnError: true });
      onAllowed(data.until);
      announce(t('You can now download your data'));
    }}
    onSendAgain={requestCode}
    back={{ label: t('Back to your data'), onBack }}
  />
);

const requestCode = async (): Promise<string> =>
  (await requestAccessFileCode({ body: {}, throwOnError: true })).data.email;
