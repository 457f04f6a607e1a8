import { globSync, readFileSync } from 'node:fs';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { compileMessage } from '../src/ui/compile-message.ts';

const sources = new URL('../src/', import.meta.url).pathname;

/**
 * Returns every string in the screens' sources that may be a message. Both compilers must also agree on
 * strings that aren't messages.
 */
function texts(): string[] {
  const found = new Set<string>();
  for (const path of globSync(`${sources}{ui,dashboard}/**/*.{ts,tsx}`)) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        ['t', 'msg'].includes(node.expression.text)
      )
        ts.forEachChild(node, function take(inner): void {
          if (ts.isStringLiteral(inner) || ts.isNoSubstitutionTemplateLiteral(inner)) found.add(inner.text);
          if (ts.isConditionalExpression(inner)) ts.forEachChild(inner, take);
        });
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...found];
}

const forms = [
  '',
  'It’s plain',
  "It's plain, and ''doubled''",
  "'{not a variable}' but {name}",
  '{count, number}',
  '{at, date, short}',
  '{count, plural, offset:1 =0 {nobody} =1 {{name}} one {{name} and # other} other {{name} and # others}}',
  "{count, plural, one {# is '#'} other {# and {n, plural, one {# nested} other {#}}}}",
  '{kind, select, a {A {x}} other {another #}}',
  '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
  '{ spaced , plural , one { one } other { many } }',
  'Read <0>the guide</0> # 1',
];

describe('compileMessage', () => {
  test('compiles every text on the screens like the library', () => {
    const all = texts();
    expect(all.length).toBeGreaterThan(800);
    for (const text of all) expect(compileMessage(text), text).toEqual(compileMessageOrThrow(text));
  });

  test.each(forms)('compiles %s like the library', (text) => {
    expect(compileMessage(text)).toEqual(compileMessageOrThrow(text));
  });

  test.each(['{', '{count, plural, one {a}}', 'a }', '{count, plural, one {a} other {b}', '{a b}'])(
    'rejects the malformed message %s',
    (text) => {
      expect(() => compileMessage(text)).toThrow();
    },
  );
});
