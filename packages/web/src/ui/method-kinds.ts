/** Kinds of payout methods, in the order in which the screens offer them. */
export const methodKinds = ['paypal', 'wise-email', 'sepa'] as const;
