/** Result of one check; a problem's message says how to fix it. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
}
