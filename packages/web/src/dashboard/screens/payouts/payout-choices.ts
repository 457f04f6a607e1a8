/** Statuses that the payout filter combines. */
export const notPaidYet = 'Preparing,Created';
export const notCanceled = 'Preparing,Created,Paid';
