import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import tabs from '../../../ui/tab-links.module.css';
import { msg, t } from '../../../ui/text.ts';
import { PartLink } from './payout-link.tsx';

const parts = [
  ['', msg('Due now')],
  ['made', msg('All payouts')],
  ['runs', msg('Pay runs')],
  ['month', msg('Month')],
  ['owed', msg('Balances')],
  ['held', msg('Holds')],
  ['taken-back', msg('Clawbacks')],
  ['payees', msg('Methods')],
  ['tax', msg('Tax and review')],
] as const;

interface PartsPageProps {
  here: (typeof parts)[number][0];
  about?: ReactNode;
  tools?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** One view of the payouts screen, with links to the other views. */
export function PartsPage({ here, about, tools, actions, children }: PartsPageProps) {
  return (
    <ScreenPage title={t('Payouts')} about={about} tools={tools} actions={actions}>
      <Box component="nav" mb="md" className={tabs.list} aria-label={t('Payout views')}>
        {parts.map(([to, name]) => (
          <PartLink key={to} to={to} isHere={to === here}>
            {t(name)}
          </PartLink>
        ))}
      </Box>
      {children}
    </ScreenPage>
  );
}
