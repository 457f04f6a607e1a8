/** Names in a PromQL expression: metrics, their labels, and the values that labels are compared with. */
export interface Named {
  metrics: Set<string>;
  labels: { metric: string; label: string; value: string | null }[];
  /** Labels that sums are grouped by. */
  grouped: Set<string>;
}

const words = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'offset',
  'bool',
  'group_left',
]);

/**
 * Parses the subset of PromQL that our files use. Treats anything else as a metric, which is then reported as
 * unknown.
 */
export function namedMetrics(expression: string): Named {
  const named: Named = { metrics: new Set(), labels: [], grouped: new Set() };
  let rest = expression.replace(/#[^\n]*/g, '');
  rest = rest.replace(/\b(by|without|on|ignoring|group_left)\s*\(([^)]*)\)/g, (_all, _word, list: string) => {
    for (const label of list.split(',')) if (label.trim() !== '') named.grouped.add(label.trim());
    return ' ';
  });
  rest = rest.replace(/([A-Za-z_:][\w:]*)\s*\{([^}]*)\}/g, (_all, metric: string, matchers: string) => {
    named.metrics.add(metric);
    for (const [, label = '', how, text = ''] of matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)) {
      const values = how === '=' || how === '!=' ? [text] : /^[\w|]+$/.test(text) ? text.split('|') : [null];
      for (const value of values) named.labels.push({ metric, label, value });
    }
    return ' ';
  });
  rest = rest.replace(/\[[^\]]*\]|"[^"]*"|\boffset\s+\w+|\b\d[\w.]*/g, ' ');
  for (const [, name = '', call] of rest.matchAll(/([A-Za-z_:$][\w:]*)\s*(\(?)/g))
    if (call === '' && !words.has(name)) named.metrics.add(name);
  return named;
}
