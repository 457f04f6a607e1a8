import { Box, Menu, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import classes from '../../../ui/tab-links.module.css';
import { msg, t } from '../../../ui/text.ts';
import { useTabInView } from '../../../ui/use-tab-in-view.ts';
import { PartItem, PartLink } from './payout-link.tsx';

const tabs = [
  ['', msg('Due now')],
  ['made', msg('All payouts')],
  ['runs', msg('Pay runs')],
  ['owed', msg('Balances')],
  ['month', msg('Month')],
] as const;

/** Views that are needed less often. */
const others = [
  ['held', msg('Holds')],
  ['taken-back', msg('Clawbacks')],
  ['payees', msg('Payout methods')],
  ['tax', msg('Tax and review')],
] as const;

interface PartsPageProps {
  here: (typeof tabs | typeof others)[number][0];
  about?: ReactNode;
  tools?: ReactNode;
  actions?: ReactNode;
  mainAction?: ReactNode;
  exports?: ReactNode;
  children: ReactNode;
}

/** One view of the payouts screen, with links to the other views. */
export function PartsPage({ here, about, tools, actions, mainAction, exports, children }: PartsPageProps) {
  const row = useTabInView(here);
  const [, other] = others.find(([to]) => to === here) ?? [];
  return (
    <ScreenPage
      title={t('Payouts')}
      about={about}
      tools={tools}
      actions={actions}
      mainAction={mainAction}
      exports={exports}
    >
      <Box component="nav" mb="md" className={classes.bar} aria-label={t('Payout views')}>
        <div ref={row} className={classes.list} data-tab-row>
          {tabs.map(([to, name]) => (
            <PartLink key={to} to={to} isHere={to === here}>
              {t(name)}
            </PartLink>
          ))}
        </div>
        <Menu position="bottom-end">
          <Menu.Target>
            <UnstyledButton
              className={`${classes.link} ${classes.more}`}
              aria-current={other === undefined ? undefined : 'page'}
              aria-label={
                other === undefined
                  ? t('More payout views')
                  : t('{view}, more payout views', { view: t(other) })
              }
            >
              {other === undefined ? t('More') : t(other)} <Icon name="down" size={14} />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(([to, name]) => (
              <PartItem key={to} to={to} isHere={to === here}>
                {t(name)}
              </PartItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Box>
      {children}
    </ScreenPage>
  );
}
