import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../../../ui/announce.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import classes from './stream-alert.module.css';

/** New address, with the steps in the streaming software. */
export function Address({ address }: { address: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    announce(t('Copied'));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Alert color="yellow" icon={<Icon name="key" />} title={t('Copy the address now')}>
      <Stack gap="sm">
        <Text size="sm">{t('It’s shown only once. Don’t show it on your stream.')}</Text>
        <p className={classes.address} dir="ltr">
          {address}
        </p>
        <Button
          size="md"
          leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
          onClick={() => void copy().catch(() => undefined)}
        >
          {isCopied ? t('Copied') : t('Copy address')}
        </Button>
        <Text size="sm">
          {t(
            'In OBS Studio, add a Browser source, paste the address as its URL, and turn on “Refresh browser when scene becomes active”.',
          )}
        </Text>
      </Stack>
    </Alert>
  );
}
