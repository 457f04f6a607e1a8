import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** True on the page of a thing, whose width they fill in columns. */
  isOfPage?: boolean;
}

export function Facts({ facts, isOfPage }: FactsProps) {
  return (
    <dl className={classes.facts} data-page={isOfPage}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
