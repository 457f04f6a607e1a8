/** Returns a row's key in the URL: the purchase's id, followed by a tab and the row number for further rows of a split. */
export const rowKeyOf = ({
  transactionId,
  splitIndex,
}: {
  transactionId: string;
  splitIndex: number;
}): string => (splitIndex === 0 ? transactionId : `${transactionId}\t${splitIndex}`);

/** Returns the purchase's id in a row key. Ids have no control characters, so a tab can't be part of one. */
export const transactionOf = (key: string): string => key.split('\t')[0] ?? key;
