import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { announce } from '../../ui/announce.tsx';
import { t } from '../../ui/text.ts';
import { meOptions } from '../session/session.ts';

/** Returns a function that opens a screen of a sandbox that was just created. */
export function useOpenSandbox(): (sandboxId: string, screen: 'sandbox' | 'overview') => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (sandboxId, screen) => {
    await queryClient.fetchQuery({ ...meOptions, staleTime: 0 });
    announce(t('Sandbox ready'));
    await navigate({
      to: `/p/$publisherId/${screen}` as never,
      params: { publisherId: sandboxId } as never,
    });
    void queryClient.invalidateQueries();
  };
}
