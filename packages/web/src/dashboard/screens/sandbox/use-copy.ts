import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { copyToSandbox, getSandbox } from '../../../client/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { dayMs } from '../../sandbox/use-clock.ts';
import { meOptions, usePublisher } from '../../session/session.ts';

const lookEveryMs = 2_000;
const maxLooks = 300;

/** Copies the live publisher of the page, with the purchases of some days until now, and goes to the sandbox when it is there. */
export function useCopy(): (replaces: string | null, spanDays: number) => Promise<void> {
  const { publisherId, nowMs } = usePublisher();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const path = { publisherId };
  return async (replaces, spanDays) => {
    const purchasesSince = spanDays === 0 ? null : new Date(nowMs() - spanDays * dayMs).toISOString();
    const { data } = await copyToSandbox({ path, body: { replaces, purchasesSince }, throwOnError: true });
    const copied = data.sandbox?.publisherId ?? (await waitForOther(path, replaces));
    await queryClient.fetchQuery({ ...meOptions, staleTime: 0 });
    announce(t('The sandbox is ready'));
    await navigate({ to: '/p/$publisherId/sandbox' as never, params: { publisherId: copied } as never });
    void queryClient.invalidateQueries();
  };
}

/** A large copy goes on after the answer. */
async function waitForOther(path: { publisherId: string }, replaces: string | null): Promise<string> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    const { data } = await getSandbox({ path, throwOnError: true });
    const found = data.sandbox?.publisherId ?? null;
    if (found !== null && found !== replaces) return found;
  }
  throw new Error(
    t('The copy takes very long, or has stopped. Look again later; the log of the service says more.'),
  );
}
