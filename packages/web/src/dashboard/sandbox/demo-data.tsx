import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { getSandboxOptions } from '../../client/@tanstack/react-query.gen.ts';
import { getSandbox, loadDemoData } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { usePublisher } from '../session/session.ts';
import { useOpenSandbox } from './use-open-sandbox.ts';

const pollMs = 700;
/** Maximum wait, in polls. A load takes a few seconds, and the service gives up on a stuck load after two minutes. */
const maxPolls = 300;

/** Returns the sandbox of the page's live publisher and a running load of demo data, which is polled. */
export function useSandbox(isLoading = false) {
  const { publisherId } = usePublisher();
  return useQuery({
    ...getSandboxOptions({ path: { publisherId } }),
    refetchInterval: ({ state }) => (isLoading || state.data?.loading != null ? pollMs : false),
  });
}

/** Returns a function that loads demo data, waits until it is complete, and opens it. */
export function useLoadDemo(): (replaces: string | null) => Promise<void> {
  const { publisherId } = usePublisher();
  const open = useOpenSandbox();
  const path = { publisherId };
  return async (replaces) => {
    let { data } = await loadDemoData({ path, body: { replaces }, throwOnError: true }).catch(
      async (error) => {
        // A load that was started continues, even if its response got lost.
        const running = await getSandbox({ path, throwOnError: true });
        if (running.data.loading === null) throw error;
        return running;
      },
    );
    for (let polls = 0; data.loading !== null && polls < maxPolls; polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      ({ data } = await getSandbox({ path, throwOnError: true }));
    }
    const loaded = data.sandbox?.publisherId ?? replaces;
    if (loaded === null || loaded === replaces)
      throw new Error(t('Loading stopped early. Nothing was changed. Try again.'));
    await open(loaded, 'overview');
  };
}

/** Progress of a running load, including one that another person started. */
export function DemoProgress() {
  const loading = useSandbox(true).data?.loading ?? null;
  const { step, steps } = loading ?? { step: 0, steps: 5 };
  return (
    <Stack gap={4} w="100%" maw={360}>
      <Text size="sm" role="status">
        {t('Loading demo data: {step} of {steps} steps', { step, steps })}
      </Text>
      <Progress value={(100 * (step + 0.5)) / (steps + 0.5)} aria-label={t('Loading demo data')} />
    </Stack>
  );
}

interface LoadDemoProps {
  /** True if this is the screen's next step. */
  isMain?: boolean;
  /** True to center the button above its explanation in a narrow window. */
  isCentered?: boolean;
  children?: ReactNode;
}

/**
 * Button that loads demo data into the first sandbox of the page's publisher. During the load, shows the progress
 * instead.
 */
export function LoadDemo({ isMain = false, isCentered = false, children }: LoadDemoProps) {
  const sandbox = useSandbox();
  const load = useLoadDemo();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await load(null).catch(setError);
    setBusy(false);
  };
  return (
    <Stack gap="xs">
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t load the demo data')} />}
      <Group mih={48} gap="md" justify={isCentered ? 'center' : 'flex-start'}>
        {isBusy || sandbox.data?.loading != null ? (
          <DemoProgress />
        ) : (
          <>
            <Button
              {...(!isMain && { variant: 'default' })}
              disabled={sandbox.data === undefined}
              onClick={() => void start()}
            >
              {t('Load demo data')}
            </Button>
            {children}
          </>
        )}
      </Group>
    </Stack>
  );
}
