import { useQuery } from '@tanstack/react-query';
import { listPaymentFilesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { usePublisher } from '../../session/session.ts';

/** Loads a payout's files for PayPal, Wise and banks, for roles that may see them. */
export function usePaymentFiles({ payoutId, status }: Payout) {
  const { publisherId, may } = usePublisher();
  return useQuery({
    ...listPaymentFilesOptions({ path: { publisherId, payoutId } }),
    enabled: may('payees') && (status === 'Created' || status === 'Paid'),
    staleTime: 60_000,
  });
}
