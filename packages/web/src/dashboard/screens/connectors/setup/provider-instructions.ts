import type { ReactNode } from 'react';

/** Steps for a person to take at the provider, as the pages in docs/connectors describe them. */
export interface Instructions {
  /** Title of the step that enters the address. */
  title: string;
  /** Text that says what to do with the address. */
  address: ReactNode;
  /** Place where the provider shows its secret. */
  secret: string;
  /** Step that puts the creator code into orders. */
  code: ReactNode;
  /** Way to cause a test event at the provider. */
  test: string;
}
