import { Anchor, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import type { Query } from '../../../ui/query-string.ts';
import tabs from '../../../ui/tab-links.module.css';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';

/** List of payouts that a payout's page was opened from. It is in the history's state, so that a reload keeps it. */
export interface ListedPayouts {
  payoutIds: readonly string[];
  /** Filters and position of the list. */
  query: Query;
}

interface PayoutLinkProps {
  /** Subpath of the screen: `month`, or a payout's id. */
  to: string;
  search?: Readonly<Record<string, string>>;
  /** List that the payout's page steps through. */
  listed?: ListedPayouts | undefined;
  children: ReactNode;
}

/** Link to another view of the screen that keeps the chosen group. */
export function PayoutLink({ to, search = {}, listed, children }: PayoutLinkProps) {
  const props = useTarget(to, search);
  return (
    <Anchor renderRoot={(given) => <Link {...given} {...props} state={{ listed } as never} />} inherit>
      {children}
    </Anchor>
  );
}

/** Link to a view of the screen, in the style of a tab. */
export function PartLink({ to, isHere, children }: PayoutLinkProps & { isHere: boolean }) {
  const props = useTarget(to, {});
  return (
    // By default, the router would also mark a view whose path is a prefix of the current path.
    <Link
      {...props}
      activeOptions={{ exact: true, includeSearch: false }}
      className={tabs.link}
      aria-current={isHere ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}

/** Link to a view of the screen in a menu. */
export function PartItem({ to, isHere, children }: PayoutLinkProps & { isHere: boolean }) {
  const props = useTarget(to, {});
  return (
    <Menu.Item
      rightSection={isHere && <Icon name="check" size={14} />}
      renderRoot={(given) => (
        <Link
          {...given}
          {...props}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={isHere ? 'page' : undefined}
        />
      )}
    >
      {children}
    </Menu.Item>
  );
}

function useTarget(to: string, search: Readonly<Record<string, string>>) {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const group = query.group === undefined ? {} : { group: query.group };
  return {
    to: (to === '' ? '/p/$publisherId/payouts' : `/p/$publisherId/payouts/${to}`) as never,
    params: { publisherId } as never,
    search: { ...group, ...search } as never,
  };
}
