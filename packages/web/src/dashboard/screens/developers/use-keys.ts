import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { refresh } from '../../../ui/refresh.ts';

/** After a change: the keys are asked for again. */
export function useAskForKeys(): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(() => refresh(client, 'listKeys'), [client]);
}
