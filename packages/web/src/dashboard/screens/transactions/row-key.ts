/** Returns a row's key for the URL: the purchase's id and, for later rows of a split, a tab and the row number. */
export const rowKeyOf = ({
  transactionId,
  splitIndex,
}: {
  transactionId: string;
  splitIndex: number;
}): string => (splitIndex === 0 ? transactionId : `${transactionId}\t${splitIndex}`);

/** Returns the purchase's id from a row key. Ids can't contain control characters such as a tab. */
export const transactionOf = (key: string): string => key.split('\t')[0] ?? key;
