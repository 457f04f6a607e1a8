import { Button, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../ui/text.ts';
import { LinkButton } from '../link-button.tsx';
import { ScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';
import type { FormName } from './forms.tsx';
import { OpenForm } from './start.tsx';

interface SourcesProps {
  isNext: boolean;
  onOpen(form: FormName): void;
}

const addConnector = { screen: 'connectors', query: { do: 'add' } };

/** The two ways to report purchases, side by side. The step is done once either of them is used. */
export function Sources({ isNext, onOpen }: SourcesProps) {
  const { may } = usePublisher();
  const createKey = t('Create an API key');
  const connectShop = t('Connect your shop');
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={6} maw={640}>
      <Way about={t('For your own back end, which then sends a request with the key.')}>
        {isNext ? (
          <Button onClick={() => onOpen('key')}>{createKey}</Button>
        ) : (
          <OpenForm onClick={() => onOpen('key')}>{createKey}</OpenForm>
        )}
      </Way>
      {may('webhooks') && (
        <Way about={t('For Stripe, Xsolla, Paddle, FastSpring, Tebex, Steam, and other shops.')}>
          {isNext ? (
            <LinkButton {...addConnector} isQuiet>
              {connectShop}
            </LinkButton>
          ) : (
            <ScreenLink isInText {...addConnector}>
              {connectShop}
            </ScreenLink>
          )}
        </Way>
      )}
    </SimpleGrid>
  );
}

const Way = ({ about, children }: { about: string; children: ReactNode }) => (
  <Paper withBorder px="sm" py="xs">
    <Stack gap={4}>
      <Text component="div" lh="24px">
        {children}
      </Text>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </Stack>
  </Paper>
);
