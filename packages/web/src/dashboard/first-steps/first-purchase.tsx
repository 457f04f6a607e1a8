import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { ScreenLink } from '../screen-link.tsx';
import { recordCurl } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';
import { useUsableCode } from './use-usable-code.ts';

/** Empty state with a command that records a purchase at the current time with an existing creator's code. */
export function FirstPurchase({ icon, title }: { icon: IconName; title: string }) {
  const { sandboxOf, may, nowMs } = usePublisher();
  const { query } = useUrlState();
  const { code, isKnown } = useUsableCode(query.group);
  // The time is fixed at the first render, because a command that changes while it is being selected can't be
  // copied.
  const [shownMs] = useState(nowMs);
  const isTest = sandboxOf === null;
  if (!isKnown)
    return (
      <EmptyState icon={icon} title={title}>
        {null}
      </EmptyState>
    );
  if (code === null)
    return (
      <EmptyState
        icon={icon}
        title={title}
        {...(may('members') && {
          action: (
            <ScreenLink isInText screen="creators" query={{ do: 'add', group: query.group }}>
              {t('Add creator')}
            </ScreenLink>
          ),
        })}
      >
        {t('A purchase needs an approved creator’s code, and there isn’t one yet.')}
      </EmptyState>
    );
  const facts = { origin: window.location.origin, key: '$KEY', nowMs: shownMs, isTest, ...code };
  return (
    <EmptyState icon={icon} title={title} curl={recordCurl(facts)}>
      {isTest
        ? t(
            'Set the variable KEY to a secret key, then record a Test purchase. It shows up within seconds and never earns a payout.',
          )
        : t(
            'Set the variable KEY to one of the sandbox’s secret keys, then record a purchase. It shows up within seconds.',
          )}
    </EmptyState>
  );
}
