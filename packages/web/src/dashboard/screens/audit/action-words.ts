/** Words in actions' codes for which the dashboard uses other words. */
const words = new Map([
  ['member', 'creator'],
  ['payee', 'payout'],
  ['sku', 'SKU'],
  ['staff', 'team'],
  ['transaction', 'purchase'],
]);

/** Actions in whose codes the noun isn't the thing that the action changes. */
const renamed = new Map([['payout.claw-back', 'transaction.claw-back']]);

/** Past tenses that don't follow the rule of `pastOf`. Some codes name a change by its cause. */
const pasts = new Map([
  ['cancel', 'canceled'],
  ['chargeback', 'reversed by a chargeback'],
  ['fraud', 'reversed as fraud'],
  ['hold', 'held'],
  ['make', 'made'],
  ['put', 'saved'],
  ['reset', 'reset'],
  ['set', 'set'],
  ['tag', 'tagged'],
  ['undo', 'undone'],
  ['withdraw', 'withdrew'],
]);

/**
 * Returns an action's code in words: `member.clear-tax` becomes "Creator: cleared tax". The codes, which filters and exports
 * use, are made of plain words that begin with a verb, so they need no table of their own.
 */
export function actionInWords(action: string): string {
  const [thing = '', verb, ...others] = (renamed.get(action) ?? action)
    .split('.')
    .map((part) => part.split('-'))
    .flatMap(inOrder);
  const text = verb === undefined ? thing : `${thing}: ${[pastOf(verb), ...others].join(' ')}`;
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Returns the kind of a target in words: `sku-share` becomes "SKU share". */
export function kindInWords(kind: string): string {
  const text = inOrder(kind.split('-'), 0).join(' ');
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Keeps the words of the first part, which is a thing, together. */
const inOrder = (part: readonly string[], at: number): readonly string[] =>
  at === 0 ? [part.map((word) => words.get(word) ?? word).join(' ')] : part;

function pastOf(verb: string): string {
  const past = pasts.get(verb);
  if (past !== undefined) return past;
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}
