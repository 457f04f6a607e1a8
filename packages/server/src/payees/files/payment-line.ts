import type { Destination, MethodKind } from '../destination.ts';

/** Line of a payout, with the method that it is paid with. */
export interface PaymentLine {
  /** Reference of the line, such as 1042-00017. */
  reference: string;
  amountMinor: bigint;
  destination: Destination;
}

/** Payout that a file pays, with the values that all of its lines share. */
export interface PaidPayout {
  /** Payout number, which its lines' references start with. */
  number: number;
  currency: string;
  createdAt: Date;
}

/** Maximum number of lines in a file. PayPal and Wise state theirs; banks differ, and most accept more than this. */
export const maxLines: Readonly<Record<MethodKind, number>> = {
  paypal: 5_000,
  'wise-email': 1_000,
  sepa: 10_000,
};
