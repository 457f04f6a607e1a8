import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Extracts the messages of the dashboard and the portal for translation: `npm run strings:web de` creates
 * `packages/web/src/locales/de.json`, or updates it by adding new messages and removing unused ones. An
 * untranslated message is stored as null and shown in English. Without a language, it checks that every
 * message can be extracted: `t`, `msg` and `Trans` must receive literals.
 */
const folder = 'packages/web/src/locales';
const [locale] = process.argv.slice(2);
const problems: string[] = [];
const messages = [
  ...new Set(globSync('packages/web/src/{ui,dashboard,portal}/**/*.{ts,tsx}').flatMap(messagesOf)),
].sort();

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
if (locale === undefined) process.stdout.write(`${messages.length} texts\n`);
else if (/^[a-z]{2,3}(-[A-Z]{2})?$/.test(locale)) writeCatalog(locale);
else throw new Error(`${locale} is not a language; use a form such as de or pt-BR`);

function writeCatalog(name: string): void {
  const path = `${folder}/${name}.json`;
  const known: Record<string, string | null> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const all = Object.fromEntries(messages.map((message) => [message, known[message] ?? null]));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  const missing = Object.values(all).filter((translation) => translation === null).length;
  process.stdout.write(`${path}: ${messages.length} texts, ${missing} not translated yet\n`);
}

function messagesOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const take = (node: ts.Node | undefined, isExpected: boolean): void => {
    if (node === undefined) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    else if (ts.isConditionalExpression(node)) {
      take(node.whenTrue, isExpected);
      take(node.whenFalse, isExpected);
    } else if (isExpected) problems.push(`${place(node)}: the text must be a literal`);
  };
  const place = (node: ts.Node): string => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    return `${path}:${line + 1}`;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      // Text marked by `msg` is passed to `t` as a variable.
      if (node.expression.text === 't') take(node.arguments[0], isComposed(node.arguments[0]));
      if (node.expression.text === 'msg' && path !== 'packages/web/src/ui/text.ts')
        take(node.arguments[0], true);
    }
    if (
      (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) &&
      node.tagName.getText() === 'Trans'
    )
      take(idOf(node), true);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Returns whether text is composed of parts. Composed text can't be translated, because languages order words
 * differently.
 */
function isComposed(node: ts.Node | undefined): boolean {
  return node !== undefined && (ts.isTemplateExpression(node) || ts.isBinaryExpression(node));
}

function idOf(element: ts.JsxSelfClosingElement | ts.JsxOpeningElement): ts.Node | undefined {
  for (const property of element.attributes.properties) {
    if (!ts.isJsxAttribute(property) || property.name.getText() !== 'id') continue;
    const { initializer } = property;
    return initializer !== undefined && ts.isJsxExpression(initializer)
      ? initializer.expression
      : initializer;
  }
  return undefined;
}
