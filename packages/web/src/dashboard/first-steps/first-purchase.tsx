import { Box, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { listTransactionsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { EmptyFooter } from '../../ui/empty-footer.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { AdvanceMonth } from '../sandbox/advance-month.tsx';
import { recordCurl } from '../screens/transactions/curl.ts';
import { useGroups } from '../screens/use-groups.ts';
import { usePublisher } from '../session/session.ts';
import { ForShops } from './for-shops.tsx';
import { useInPlace } from './in-place.tsx';
import { KeyCommand } from './key-command.tsx';
import { LookAround } from './look-around.tsx';
import { NoTerminal } from './no-terminal.tsx';
import { useFirstSteps } from './use-first-steps.ts';
import { useUsableCode } from './use-usable-code.ts';

interface EmptyProps {
  icon: IconName;
  title: string;
}

export interface FirstPurchaseProps extends EmptyProps {
  /**
   * Notified when the dialog with the command opens and closes. Until it closes, this must stay mounted, although the
   * purchase arrives meanwhile.
   */
  onCommand?: (isShown: boolean) => void;
}

/**
 * Empty state that offers the next step toward a first purchase: creating a group, adding a creator, or running a
 * command that records a purchase at the current time with an existing creator's code. The command comes with a new key
 * of its own, or is for a key that the reader has.
 */
export function FirstPurchase({ onCommand, ...props }: FirstPurchaseProps) {
  const { sandboxOf, may, nowMs } = usePublisher();
  const { query } = useUrlState();
  const { code, isKnown } = useUsableCode(query.group);
  // The time is fixed at the first render, because a command that changes while it is being selected can't be
  // copied.
  const [shownMs] = useState(nowMs);
  const [hasKey, setHasKey] = useState(false);
  const isTest = sandboxOf === null;
  const mayCreateKey = may('keys');
  const usesOwnKey = hasKey || !mayCreateKey;
  if (code === null) return <BeforeCode isKnown={isKnown} {...props} />;
  const facts = { origin: window.location.origin, key: '$KEY', nowMs: shownMs, isTest, ...code };
  return (
    <EmptyState
      {...props}
      {...(usesOwnKey && { curl: recordCurl(facts) })}
      action={<NoTerminal />}
      {...(mayCreateKey && {
        action: (
          <>
            <KeyCommand name="first purchase" code={code} isMain onShown={onCommand} />
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={hasKey}
              onClick={() => setHasKey(!hasKey)}
            >
              {t('I already have a key')}
            </Button>
            <NoTerminal />
            <ForShops />
          </>
        ),
      })}
    >
      {isTest
        ? t('Record a test purchase from a terminal. It’s never paid out.')
        : t('Record a purchase from a terminal. It shows up within seconds.')}
      {usesOwnKey && (
        <>
          {' '}
          {isTest
            ? t('Set the variable KEY to a secret key first.')
            : t('Set the variable KEY to one of the sandbox’s secret keys first.')}
        </>
      )}
    </EmptyState>
  );
}

/** Empty state of a publisher without a usable code. */
function BeforeCode({ isKnown, ...props }: EmptyProps & { isKnown: boolean }) {
  const { may } = usePublisher();
  const { groups, rows } = useGroups();
  const inPlace = useInPlace();
  if (!isKnown || groups.data === undefined) return <EmptyState {...props}>{null}</EmptyState>;
  const lacksGroup = rows.length === 0;
  const permission = lacksGroup ? 'program' : 'members';
  return (
    <>
      <EmptyState
        {...props}
        {...(may(permission) && {
          action: (
            <Button onClick={() => inPlace.open(lacksGroup ? 'group' : 'creator')}>
              {lacksGroup ? t('Create group') : t('Add creator')}
            </Button>
          ),
        })}
      >
        {lacksGroup
          ? t('First, create a creator group. It sets what its creators earn.')
          : t('A purchase needs an approved creator’s code. Add a creator first.')}
      </EmptyState>
      {inPlace.form}
    </>
  );
}

interface BeforeMoneyProps extends EmptyProps {
  children: ReactNode;
  /** True for a list of amounts due. In a sandbox, it fills once the clock has passed the hold period. */
  isAboutDue?: boolean;
}

/**
 * Empty state of a screen about money. Before a publisher's first purchase, it offers the next step or, if only real
 * purchases are missing, demo data for a rehearsal.
 */
export function BeforeMoney({ children, isAboutDue = false, ...props }: BeforeMoneyProps) {
  const { publisherId, sandboxOf, may } = usePublisher();
  const { query } = useUrlState();
  const { code, isKnown } = useUsableCode(query.group);
  const first = useQuery(listTransactionsOptions({ path: { publisherId }, query: { limit: 50 } }));
  const isEmpty = first.data !== undefined && first.data.rows.length === 0;
  if (!isEmpty) {
    const mayAdvance = isAboutDue && first.isSuccess && sandboxOf !== null && may('program');
    return (
      <EmptyState {...props} {...(mayAdvance && { action: <AdvanceMonth /> })}>
        {children}
      </EmptyState>
    );
  }
  if (code === null) return <BeforeCode isKnown={isKnown} {...props} />;
  if (sandboxOf !== null) return <FirstPurchase {...props} />;
  return (
    <EmptyFooter value={null}>
      <EmptyState
        {...props}
        action={
          <Stack ta="start" maw={520}>
            <LookAround isMain />
          </Stack>
        }
      >
        {t('Amounts appear here once purchases are recorded.')}
      </EmptyState>
    </EmptyFooter>
  );
}

/** Offers demo data below an empty list, until the publisher's first purchase. */
export function DemoLine() {
  const { data } = useFirstSteps();
  if (data?.hasPurchases !== false) return null;
  return (
    <Box maw={520} mt="sm" ta={{ base: 'center', sm: 'start' }}>
      <LookAround isCentered />
    </Box>
  );
}
