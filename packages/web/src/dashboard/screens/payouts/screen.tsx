import { useParams } from '@tanstack/react-router';
import { BalancesView } from './balances-view.tsx';
import { ClawbacksView } from './clawbacks-view.tsx';
import { Due } from './due.tsx';
import { MonthView } from './month-view.tsx';
import { PayoutPage } from './payout-page.tsx';
import { PayoutsView } from './payouts-view.tsx';

export function Screen() {
  const { _splat: below = '' } = useParams({ strict: false }) as { _splat?: string };
  switch (below.replace(/\/$/, '')) {
    case '':
      return <Due />;
    case 'made':
      return <PayoutsView />;
    case 'owed':
      return <BalancesView />;
    case 'taken-back':
      return <ClawbacksView />;
    case 'month':
      return <MonthView />;
    default:
      return <PayoutPage payoutId={below} />;
  }
}
