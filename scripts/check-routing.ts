import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

/**
 * Checks that statements work on tables that are distributed by publisher (docs/adr/0034-routing.md). If a
 * statement names several tenant tables, each must be tied to one publisher's id, given as a value. A
 * recursive query must not skip through an index from one publisher to the next. Values set by an update must
 * not read a clock or a table. The check reads the SQL in the source. It covers neither statements composed
 * at run time nor the query builder, whose statements each use one table.
 */
const src = 'packages/server/src';

/** Allowed exceptions, with reasons. */
const allowed: Readonly<Record<string, string>> = {
  'settlement/post/post-rows.ts: publisher, unposted: tied to no publisher':
    'checks every publisher for work, row by row of publisher; each node does so for its own publishers',
  'bounties/complete/complete-bounties.ts: publisher, bounty_progress, bounty: tied to no publisher':
    'the same',
  'bounties/complete/bounty-worker.ts: bounty_progress, bounty, clock_move: tied to no publisher':
    'checks all publishers for work, one table after another, and every sandbox by its clock',
  'bounties/complete/check-begun.ts: bounty, clock_move: tied to no publisher': 'part of that check',
  'webhooks/delivery/take/worker-lease.ts: webhook_delivery: tied to no publisher':
    'checks all publishers for work, one table at a time; no publisher is read together with another',
  'webhooks/delivery/take/waiting-endpoints.ts: webhook_delivery: tied to no publisher, and skipped through':
    'used only if all publishers are on one node; the other form adds up the nodes',
  'revenue-shares/schedules/announce-due-schedules.ts: clock_move, scheduled_share: tied to no publisher':
    'checks every sandbox for work, row by row of its clock; each node does so for its own sandboxes',
  'revenue-shares/schedules/announce-due-schedules.ts: scheduled_share, clock_move: tied to no publisher':
    'the same, next to the check of all live publishers, which reads one table',
  'settlement/statements/next-month.ts: statement_progress, clock_move, publisher: tied to no publisher':
    'checks every publisher for work, row by row of its progress or clock; each node does so for its own publishers',
  'settlement/statements/next-month.ts: statement_progress, clock_move: tied to no publisher': 'the same',
  'settlement/statements/next-month.ts: publisher, statement_progress: tied to no publisher':
    'finds new publishers, row by row of publisher; each node does so for its own publishers',
  'settlement/read-backlog.ts: payout_batch, pay_run: tied to no publisher':
    'counts the unfinished work of all publishers, one table after another',
  'notifications/count-secrets.ts: webhook_endpoint, connector_event, notification_channel, payee_method: tied to no publisher':
    'counts the secrets of all publishers, one table after another',
  'notifications/notifier.ts: notification_choice, notification: tied to no publisher':
    'checks all publishers for work, one table after another',
  'notifications/incidents/conditions.ts: publisher, webhook_endpoint, notification_incident, payout_batch, staff_rules, ledger_verification, notification_channel: tied to no publisher':
    'checks every publisher for work, row by row of publisher; each node does so for its own publishers',
  'notifications/incidents/conditions.ts: webhook_endpoint, notification_incident, payout_batch, staff_rules, ledger_verification, notification_channel: tied to no publisher':
    'part of that check',
};

const migrations = globSync('packages/server/migrations/*.sql').map((path) => readFileSync(path, 'utf8'));
const tenants = new Set(
  migrations.flatMap((text) =>
    [...text.matchAll(/distribute_by_publisher\('(\w+)'\)/g)].map(([, table = '']) => table),
  ),
);
/** Tables that exist on every node. */
const references = new Set(
  migrations.flatMap((text) =>
    [...text.matchAll(/replicate_to_all_nodes\('(\w+)'\)/g)].map(([, table = '']) => table),
  ),
);
if (references.size < 10)
  throw new Error(`only ${references.size} shared tables were found in the migrations`);
if (tenants.size < 30)
  throw new Error(`only ${tenants.size} tables of publishers were found in the migrations`);

/** Placeholder for an interpolated expression that isn't a known fragment. */
const placeholder = `$${'{}'}`;
/** Pattern for a value: an interpolated expression or a parameter. */
const value = String.raw`(?:\$\{\}|\$\d+)`;

interface Text {
  path: string;
  line: number;
  /** SQL with named fragments expanded, and placeholders for other interpolated expressions. */
  sql: string;
}

const problems: string[] = [];
const used = new Set<string>();
const files = globSync(`${src}/**/*.ts`)
  .filter((path) => !/\.generated\.ts$|\.test\.ts$/.test(path))
  .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
/** Fragments by name. Fragments that aren't exported are stored by path and name. */
const fragments = new Map<string, Template | null>();
for (const file of files) walk(file, (node) => keepFragment(file.fileName, node));

let statements = 0;
for (const text of files.flatMap(textsOf)) {
  const found = [
    /\bselect\s+from\b/.test(text.sql) ? 'selects no column; select 1' : null,
    ...setParts(text.sql).map(wrongInSet),
    ...refusedForms(text.sql),
    ...ties(text.sql),
  ];
  for (const problem of new Set(found)) {
    if (problem === null) continue;
    const place = `${relative(src, text.path)}: ${problem}`;
    if (place in allowed) used.add(place);
    else problems.push(`${text.path}:${text.line}: ${problem}`);
  }
}
for (const place of Object.keys(allowed))
  if (!used.has(place)) problems.push(`scripts/check-routing.ts has an unused exception: ${place}`);
if (statements < 100)
  problems.push(`only ${statements} statements on tenant tables were found; are all files read?`);

if (problems.length > 0) {
  process.stderr.write(`${problems.sort().join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${statements} statements, each on one publisher or one table\n`);

function walk(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => walk(child, see));
}

/** Stores a declared fragment. A name refers to a fragment in the same file, or else to an exported fragment. */
function keepFragment(path: string, node: ts.Node): void {
  let made: ts.Node | undefined;
  if (ts.isVariableDeclaration(node)) {
    const { initializer } = node;
    made = initializer && ts.isArrowFunction(initializer) ? initializer.body : initializer;
  } else if (ts.isFunctionDeclaration(node)) {
    const last = node.body?.statements.at(-1);
    made = last && ts.isReturnStatement(last) ? last.expression : undefined;
  } else return;
  if (made !== undefined && ts.isTaggedTemplateExpression(made)) made = made.template;
  if (made === undefined || !isTemplate(made)) return;
  const name = node.name?.getText() ?? '';
  const declared = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const isExported = declared.getText().startsWith('export ');
  for (const key of [`${path} ${name}`, ...(isExported ? [name] : [])])
    fragments.set(key, fragments.has(key) ? null : made);
}

/** Returns every template in a file if the template may be SQL. Nested templates are separate entries. */
function textsOf(file: ts.SourceFile): Text[] {
  const found: Text[] = [];
  walk(file, (node) => {
    if (!isTemplate(node)) return;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ path: file.fileName, line, sql: textOf(file.fileName, node, 8) });
  });
  return found;
}

function textOf(path: string, template: Template, depth: number): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return withoutComments(template.text);
  return template.templateSpans.reduce((sql, { expression, literal }) => {
    const name = ts.isCallExpression(expression) ? expression.expression.getText() : expression.getText();
    const fragment = fragments.get(`${path} ${name}`) ?? fragments.get(name);
    const isKnown = depth > 0 && fragment !== undefined && fragment !== null;
    return `${sql}${isKnown ? textOf(fragment.getSourceFile().fileName, fragment, depth - 1) : placeholder}${withoutComments(literal.text)}`;
  }, withoutComments(template.head.text));
}

type Template = ts.TemplateExpression | ts.NoSubstitutionTemplateLiteral;
function isTemplate(node: ts.Node): node is Template {
  return ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
}
function withoutComments(sql: string): string {
  return sql.replace(/--.*$/gm, '');
}

/** Returns the `set` clauses in updates and in `on conflict do update`. */
function setParts(sql: string): string[] {
  return [...sql.matchAll(/\b(?:do\s+update|update\s+\w+(?:\s+\w+)?)\s+set\b/g)].map(({ index, 0: head }) => {
    let depth = 0;
    for (const each of sql.slice(index + head.length).matchAll(/[()]|\b(?:from|where|returning)\b/g)) {
      if (each[0] === '(') depth += 1;
      else if (depth === 0) return sql.slice(index, index + head.length + each.index);
      else if (each[0] === ')') depth -= 1;
    }
    return sql.slice(index);
  });
}

function wrongInSet(part: string): string | null {
  const isOfConflict = /^do\s/.test(part);
  if (isOfConflict && /\(\s*select\b/.test(part)) return 'reads a table in on conflict do update';
  if (/\bclock_timestamp\(\)/.test(part)) return 'reads a clock in a set clause; pass the time as a value';
  if (/\bnow\(\)/.test(part) && (isOfConflict || /\b(?:case|coalesce)\b/.test(part)))
    return 'reads the time in a condition of a set clause; pass it as a value';
  return null;
}

/** Returns forms that Citus 13.2 rejects (docs/adr/0043-growing.md). */
function refusedForms(sql: string): string[] {
  const scopeAt = scopesOf(sql);
  const problems: string[] = [];
  for (const { index } of sql.matchAll(/\bupdate\s+\w+(?:\s+\w+)?\s+set\b/g)) {
    const calls = [...sql.slice(index).matchAll(/\b(?:date_trunc|to_char|age|to_timestamp)\(/g)];
    if (calls.some((call) => scopeAt(index + call.index) === scopeAt(index)))
      problems.push('calls a stable function in an update; compute the value in a materialized CTE first');
  }
  for (const { index } of sql.matchAll(/\breturning\b/g))
    if (/\(\s*select\b/.test(untilClosed(sql.slice(index))))
      problems.push('has a subquery in returning; run the subquery first');
  for (const { index, 0: join } of sql.matchAll(/\bfull\s+join\s+\w+(?:\s+\w+)?\s+using\s*\([^)]*\)/g))
    if (/^\s*(?:(?:inner|left|right|cross)\s+)?join\b/.test(sql.slice(index + join.length)))
      problems.push('has another join after a full join; move the full join into a CTE');
  return [...problems, ...outerReferences(sql, scopeAt)];
}

/**
 * Reports each subquery on a tenant table that refers to an outer statement's row, if the outer statement
 * reads only reference tables.
 */
function outerReferences(sql: string, scopeAt: (index: number) => string): string[] {
  const places = placesOf(sql, scopeAt, (table) => tenants.has(table) || references.has(table));
  return places.flatMap((inner) => {
    if (!tenants.has(inner.table) || isTiedToValue(sql, inner, scopeAt)) return [];
    const outer = places.filter(({ scope }) => inner.scope.startsWith(`${scope}/`));
    const nearest = outer.filter(({ scope }) => outer.every((each) => each.scope.length <= scope.length));
    if (nearest.length === 0 || nearest.some(({ table }) => tenants.has(table))) return [];
    const text = untilClosed(sql.slice(Number(inner.scope.split('/').at(-1)) + 1));
    return nearest.some(({ name }) => new RegExp(String.raw`\b${name}\.\w`).test(text))
      ? [
          `${inner.table}: a subquery refers to a row of the reference table ${nearest.map(({ table }) => table).join(', ')}; pass a value`,
        ]
      : [];
  });
}

interface Place {
  table: string;
  /** Alias in the statement. */
  name: string;
  scope: string;
}

/**
 * Returns the tenant tables that a statement doesn't tie to one publisher. Returns none for a statement with
 * a single tenant table.
 */
function ties(sql: string): string[] {
  const scopeAt = scopesOf(sql);
  const places = placesOf(sql, scopeAt, (table) => tenants.has(table));
  if (places.length === 0) return [];
  statements += 1;
  const isRecursive = /\bwith\s+recursive\b/.test(sql);
  if (places.length === 1 && !isRecursive && !/\binsert\s+into\s+\w+[\s\S]*\bselect\b/.test(sql)) return [];
  const tied = new Set(places.filter((place) => isTiedToValue(sql, place, scopeAt)));
  for (let before = -1; before < tied.size; ) {
    before = tied.size;
    for (const place of places) if (isTiedTo(sql, place, tied, scopeAt)) tied.add(place);
  }
  const loose = new Set(places.filter((place) => !tied.has(place)).map(({ table }) => table));
  if (loose.size === 0) return [];
  return [`${[...loose].join(', ')}: tied to no publisher${isRecursive ? ', and skipped through' : ''}`];
}

/**
 * Returns the text up to the parenthesis that closes the enclosing expression, or all of the text if there is
 * no such parenthesis.
 */
function untilClosed(sql: string): string {
  let depth = 0;
  for (const { index, 0: mark } of sql.matchAll(/[()]/g)) {
    depth += mark === '(' ? 1 : -1;
    if (depth < 0) return sql.slice(0, index);
  }
  return sql;
}

function placesOf(
  sql: string,
  scopeAt: (index: number) => string,
  isCounted: (table: string) => boolean,
): Place[] {
  const naming =
    /\b(from|join|update|using|into)\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?(?!(?:on|where|set|join|left|cross|inner|full|order|group|limit|for|using|union|values|select|returning|natural|offset)\b)([a-z]\w*))?/g;
  return [...sql.matchAll(naming)].flatMap(({ index, 1: verb, 2: table = '', 3: alias }) =>
    isCounted(table) && verb !== 'into' ? [{ table, name: alias ?? table, scope: scopeAt(index) }] : [],
  );
}

function isTiedToValue(sql: string, { name, scope }: Place, scopeAt: (index: number) => string): boolean {
  const own = new RegExp(String.raw`\b(?:${name}\.)?publisher_id\s*=\s*${value}`, 'g');
  const bare = (text: string): boolean => !text.includes('.');
  return [...sql.matchAll(own)].some(({ index, 0: text }) => {
    if (sql[index - 1] === '.') return false; // belongs to another table
    return bare(text) ? scopeAt(index) === scope : scopeAt(index).startsWith(scope);
  });
}

/**
 * Returns whether a join in the same scope ties a table to a table that is itself tied. A reference to an
 * outer row does not tie a table.
 */
function isTiedTo(
  sql: string,
  { name, scope }: Place,
  tied: ReadonlySet<Place>,
  scopeAt: (index: number) => string,
): boolean {
  return [...tied].some((other) => {
    if (other.scope !== scope) return false;
    const joins = new RegExp(
      String.raw`\b(?:${name}\.publisher_id\s*=\s*${other.name}|${other.name}\.publisher_id\s*=\s*${name})\.publisher_id\b`,
      'g',
    );
    return [...sql.matchAll(joins)].some(({ index }) => scopeAt(index).startsWith(scope));
  });
}

/**
 * @returns a function that maps a position to its enclosing statements: `0/12/80` is inside the statement
 * that starts at 80
 */
function scopesOf(sql: string): (index: number) => string {
  const marks = [...sql.matchAll(/\(\s*(?:select|with|insert|update|delete)\b|[()]/g)];
  return (index) => {
    const open: (number | null)[] = [];
    for (const mark of marks) {
      if (mark.index >= index) break;
      if (mark[0] === ')') open.pop();
      else open.push(mark[0] === '(' ? null : mark.index);
    }
    return ['', ...open.filter((each) => each !== null)].join('/');
  };
}
