import { Menu, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import classes from './sort-head.module.css';
import type { HeadProps } from './table-column.ts';
import { useUrlState } from './url-state.ts';
import { useNarrow } from './use-narrow.ts';

/** Order of a list, as one value of its URL parameter. */
export interface Order {
  /** Null for the order without the parameter. */
  value: string | null;
  label: string;
  /** Direction in which the column is sorted. Absent if the order is another column's, which ends sorting by this one. */
  direction?: 'ascending' | 'descending';
}

/**
 * Returns the `sort` of a column: its header is a button that sorts by it. With two orders, it switches between them, and
 * with more, it opens a menu. On a phone, the header is plain, because a choice behind **Filters** sorts there.
 * @param name URL parameter
 */
export const sortBy =
  (name: string, orders: readonly Order[]) =>
  (head: HeadProps): ReactNode => <SortHead key={head.id} head={head} name={name} orders={orders} />;

interface SortHeadProps {
  head: HeadProps;
  name: string;
  orders: readonly Order[];
}

function SortHead({ head: { id: _, header, ...props }, name, orders }: SortHeadProps) {
  const isNarrow = useNarrow();
  const { query, setQuery } = useUrlState();
  if (isNarrow) return <Table.Th {...props}>{header}</Table.Th>;
  const current = query[name] ?? null;
  const at = orders.findIndex(({ value }) => value === current);
  const direction = orders[at]?.direction;
  const next = orders[(at + 1) % orders.length];
  const choose = ({ value }: Order): void => setQuery({ [name]: value });
  const button = (
    <UnstyledButton
      className={classes.button}
      data-sorted={direction}
      {...(orders.length <= 2 && next && { title: next.label, onClick: () => choose(next) })}
    >
      {header}
      <Icon name={direction === 'ascending' ? 'up' : 'down'} size={14} />
    </UnstyledButton>
  );
  return (
    <Table.Th {...props} aria-sort={direction}>
      {orders.length <= 2 ? (
        button
      ) : (
        <Menu position={props['data-align'] === 'end' ? 'bottom-end' : 'bottom-start'}>
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.RadioGroup value={current ?? ''} onChange={(value) => setQuery({ [name]: value || null })}>
              {orders.map(({ value, label }) => (
                <Menu.RadioItem key={label} value={value ?? ''}>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Dropdown>
        </Menu>
      )}
    </Table.Th>
  );
}
