import { usePlace } from '../../place.ts';
import { PayoutDetail } from './payout-detail.tsx';
import { PayoutList } from './payout-list.tsx';

/** The list of payouts at `/payouts`, and one of them at `/payouts/<id>`. */
export function Page() {
  const { path } = usePlace();
  const [, , lineId] = path.split('/');
  return lineId === undefined ? <PayoutList /> : <PayoutDetail lineId={decodeURIComponent(lineId)} />;
}
