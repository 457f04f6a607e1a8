import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../ui/text.ts';
import { Failing } from './failing.tsx';
import { Link } from './link.tsx';
import classes from './list.module.css';
import type { useRows } from './use-rows.ts';

interface RowLinkProps {
  to: string;
  title: string;
  facts: readonly string[];
  /** Amount at the end of the row. */
  amount: ReactNode;
}

/** Row of a list that opens a page. */
export function RowLink({ to, title, facts, amount }: RowLinkProps) {
  return (
    <li className={classes.row}>
      <Link to={to} className={classes.link}>
        <span className={classes.words}>
          <span className={classes.title}>{title}</span>
          {facts.length > 0 && <span className={classes.facts}>{facts.join(' · ')}</span>}
        </span>
        <span className={classes.amount}>{amount}</span>
      </Link>
    </li>
  );
}

/** Button for the next rows of a list; the error if they couldn't be loaded. */
export function More({ more, error, retry }: Pick<ReturnType<typeof useRows>, 'more' | 'error' | 'retry'>) {
  if (error !== null) return <Failing error={error} title={t('Couldn’t load more')} onRetry={retry} />;
  if (!more.isThere) return null;
  return (
    <Button variant="default" size="md" fullWidth mt="md" loading={more.isBusy} onClick={more.load}>
      {t('Show more')}
    </Button>
  );
}

/** Facts about one thing: a term and its value in each row. Values that are null are left out. */
export function FactList({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.factList}>
      {facts.map(
        ([term, value]) =>
          value !== null && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Link back to the list that a page belongs to. */
export const Back = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className={classes.back}>
    <span aria-hidden="true">‹</span> {children}
  </Link>
);
