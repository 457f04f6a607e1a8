import { copyToSandbox, getSandbox } from '../../client/sdk.gen.ts';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { usePublisher } from '../session/session.ts';
import { dayMs } from './use-clock.ts';
import { useOpenSandbox } from './use-open-sandbox.ts';

const pollMs = 2_000;
const maxPolls = 300;

/**
 * Returns a function that copies the page's live publisher with its recent purchases, then opens the new
 * sandbox.
 */
export function useCopy(): (replaces: string | null, spanDays: number) => Promise<void> {
  const { publisherId, nowMs } = usePublisher();
  const open = useOpenSandbox();
  const path = { publisherId };
  return async (replaces, spanDays) => {
    const purchasesSince = spanDays === 0 ? null : new Date(nowMs() - spanDays * dayMs).toISOString();
    const { data } = await copyToSandbox({ path, body: { replaces, purchasesSince }, throwOnError: true });
    const copied = data.sandbox?.publisherId ?? (await waitForOther(path, replaces));
    await open(copied, 'sandbox');
    toast(t('Sandbox {name} is ready', { name: copied }));
  };
}

/** Polls for the new sandbox, because a large copy continues after the response. */
async function waitForOther(path: { publisherId: string }, replaces: string | null): Promise<string> {
  for (let polls = 0; polls < maxPolls; polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const { data } = await getSandbox({ path, throwOnError: true });
    const found = data.sandbox?.publisherId ?? null;
    if (found !== null && found !== replaces) return found;
  }
  throw new Error(t('The copy is taking longer than usual. Check again later, or see the service’s log.'));
}
