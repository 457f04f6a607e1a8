/** One thing looked at, and what to do when it is not well. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
}
