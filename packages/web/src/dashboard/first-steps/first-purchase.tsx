import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { ScreenLink } from '../screen-link.tsx';
import { recordCurl } from '../screens/transactions/curl.ts';
import { usePublisher } from '../session/session.ts';
import { useUsableCode } from './use-usable-code.ts';

/** Where no purchase is yet: a command that records one of this moment, for a creator that there is. */
export function FirstPurchase({ icon, title }: { icon: IconName; title: string }) {
  const { sandboxOf, may, nowMs } = usePublisher();
  const { query } = useUrlState();
  const { code, isKnown } = useUsableCode(query.group);
  // The moment it is first shown: a command that changes while somebody selects it cannot be copied.
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
        {t('A purchase names the code of an approved creator, and there is none yet.')}
      </EmptyState>
    );
  const facts = { origin: window.location.origin, key: '$KEY', nowMs: shownMs, isTest, ...code };
  return (
    <EmptyState icon={icon} title={title} curl={recordCurl(facts)}>
      {isTest
        ? t(
            'Put a secret key into the variable KEY, and record a Test purchase: it shows up within seconds, and nobody is paid for it.',
          )
        : t(
            'Put a secret key of the sandbox into the variable KEY, and record a purchase: it shows up within seconds.',
          )}
    </EmptyState>
  );
}
