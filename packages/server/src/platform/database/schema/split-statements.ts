/**
 * Splits SQL into statements, without their semicolons. Semicolons in comments, quoted names, strings and dollar-quoted
 * text are ignored. `begin atomic` bodies aren't supported, because the migrations don't use them.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let from = 0;
  let hasWords = false;
  const end = (at: number): void => {
    if (hasWords) statements.push(sql.slice(from, at).trim());
    from = at + 1;
    hasWords = false;
  };
  for (let at = 0; at < sql.length; ) {
    const past = pastComment(sql, at);
    if (past !== at) {
      at = past;
      continue;
    }
    if (sql[at] === ';') {
      end(at);
      at += 1;
      continue;
    }
    if (/\S/.test(sql[at] ?? '')) hasWords = true;
    at = pastQuoted(sql, at);
  }
  end(sql.length);
  return statements;
}

/** Returns the end of the comment that starts at `at`, or `at` itself if no comment starts there. */
function pastComment(sql: string, at: number): number {
  if (sql.startsWith('--', at)) return placeOf(sql, '\n', at);
  if (!sql.startsWith('/*', at)) return at;
  let depth = 0; // block comments can be nested
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}

/** Returns the end of the quoted text that starts at `at`, or the next position if no quoted text starts there. */
function pastQuoted(sql: string, at: number): number {
  const quote = sql[at];
  if (quote === "'" || quote === '"') {
    const hasEscapes = quote === "'" && /(?:^|\W)[eE]$/.test(sql.slice(Math.max(at - 2, 0), at));
    // A doubled quote is treated as the end of one string and the start of another. The result is the same.
    for (let place = at + 1; place < sql.length; place += 1) {
      if (hasEscapes && sql[place] === '\\') place += 1;
      else if (sql[place] === quote) return place + 1;
    }
    return sql.length;
  }
  const tag = quote === '$' ? /^\$(?:[A-Za-z_]\w*)?\$/.exec(sql.slice(at, at + 65))?.[0] : undefined;
  if (tag === undefined || /\w/.test(sql[at - 1] ?? '')) return at + 1;
  const close = sql.indexOf(tag, at + tag.length);
  return close === -1 ? sql.length : close + tag.length;
}

function placeOf(sql: string, mark: string, at: number): number {
  const found = sql.indexOf(mark, at);
  return found === -1 ? sql.length : found;
}
