/** A row of a list, in the address: the purchase's id; of a split's further rows with the row's number behind a tab. */
export const rowKeyOf = ({
  transactionId,
  splitIndex,
}: {
  transactionId: string;
  splitIndex: number;
}): string => (splitIndex === 0 ? transactionId : `${transactionId}\t${splitIndex}`);

/** Ids have no control characters, so the tab is ours. */
export const transactionOf = (key: string): string => key.split('\t')[0] ?? key;
