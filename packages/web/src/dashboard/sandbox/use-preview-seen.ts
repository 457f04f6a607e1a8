import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getRehearsalQueryKey } from '../../client/@tanstack/react-query.gen.ts';
import { notePreviewSeen } from '../../client/sdk.gen.ts';
import { usePublisher } from '../session/session.ts';

/**
 * Records for the payout rehearsal that the person has seen a preview. Other steps leave traces in the data, but
 * viewing a preview doesn't. A failed request is harmless, because the next view is recorded, too.
 */
export function usePreviewSeen(asOf: string | undefined): void {
  const { publisherId, rehearses } = usePublisher();
  const client = useQueryClient();
  useEffect(() => {
    if (!rehearses || asOf === undefined) return;
    const path = { publisherId };
    void notePreviewSeen({ path, body: {} }).then(() =>
      client.invalidateQueries({ queryKey: getRehearsalQueryKey({ path }) }),
    );
  }, [rehearses, asOf, publisherId, client]);
}
