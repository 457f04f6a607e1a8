import { useParams } from '@tanstack/react-router';
import { BalancesView } from './balances-view.tsx';
import { ClawbacksView } from './clawbacks-view.tsx';
import { Due } from './due.tsx';
import { GatesView } from './gates-view.tsx';
import { HoldsView } from './holds-view.tsx';
import { MonthView } from './month-view.tsx';
import { PayeesView } from './payees-view.tsx';
import { PayoutPage } from './payout-page.tsx';
import { PayoutsView } from './payouts-view.tsx';
import { RunPage } from './run-page.tsx';
import { RunsView } from './runs-view.tsx';

export function Screen() {
  const { _splat: below = '' } = useParams({ strict: false }) as { _splat?: string };
  const path = below.replace(/\/$/, '');
  if (path.startsWith('runs/')) return <RunPage key={path} payRunId={path.slice('runs/'.length)} />;
  switch (path) {
    case '':
      return <Due />;
    case 'made':
      return <PayoutsView />;
    case 'runs':
      return <RunsView />;
    case 'owed':
      return <BalancesView />;
    case 'held':
      return <HoldsView />;
    case 'taken-back':
      return <ClawbacksView />;
    case 'payees':
      return <PayeesView />;
    case 'tax':
      return <GatesView />;
    case 'month':
      return <MonthView />;
    default:
      return <PayoutPage key={below} payoutId={below} />;
  }
}
