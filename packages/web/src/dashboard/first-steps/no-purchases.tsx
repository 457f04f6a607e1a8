import { EmptyState } from '../../ui/empty-state.tsx';
import { t } from '../../ui/text.ts';
import { LinkButton } from '../link-button.tsx';
import { FirstPurchase } from './first-purchase.tsx';

interface NoPurchasesProps {
  /** True if there are purchases at other times. */
  hasPurchases: boolean;
  /** Notified when the dialog with a command opens and closes. Until it closes, this must stay mounted. */
  onCommand(isShown: boolean): void;
}

/** Overview of a period without purchases, or of a publisher without any. */
export const NoPurchases = ({ hasPurchases, onCommand }: NoPurchasesProps) =>
  hasPurchases ? (
    <EmptyState
      icon="overview"
      title={t('No purchases in this period')}
      action={
        <LinkButton screen="transactions" isQuiet>
          {t('Show all purchases')}
        </LinkButton>
      }
    >
      {t('Choose other days. Test purchases aren’t included here.')}
    </EmptyState>
  ) : (
    <FirstPurchase icon="overview" title={t('No purchases yet')} onCommand={onCommand} />
  );
