import type { ReactNode } from 'react';
import classes from './name-with-code.module.css';

interface NameWithCodeProps {
  /** Name, which ends with an ellipsis where there is no room for all of it. */
  name: ReactNode;
  /** Code or ID, which stays whole. */
  children: ReactNode;
}

/** Name with a code or an ID beside it, on a single line. */
export const NameWithCode = ({ name, children }: NameWithCodeProps) => (
  <span className={classes.cell}>
    <span className={classes.name}>{name}</span>
    <span className={classes.code}> {children}</span>
  </span>
);
