/** Words in actions' codes for which the dashboard uses other words. */
const words = new Map([
  ['member', 'creator'],
  ['payee', 'payout'],
  ['put', 'set'],
  ['sku', 'SKU'],
]);

/**
 * Returns an action's code in words: `member.clear-tax` becomes "Creator: clear tax". The codes, which filters and exports
 * use, are made of plain words, so they need no table of their own.
 */
export function actionInWords(action: string): string {
  const [thing = '', ...does] = action.split('.').map(partInWords);
  const text = [thing, ...does].join(': ');
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

const partInWords = (part: string): string =>
  part
    .split('-')
    .map((word) => words.get(word) ?? word)
    .join(' ');
