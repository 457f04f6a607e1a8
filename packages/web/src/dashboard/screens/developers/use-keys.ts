import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { refresh } from '../../../ui/refresh.ts';

export function useReloadKeys(): () => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(() => refresh(client, 'listKeys'), [client]);
}
