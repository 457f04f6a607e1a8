import { portablePatterns } from '../schemas/schemas.ts';
import { spellOutRules } from './spell-out-rules.ts';

type Json = Record<string, unknown>;

/** Keywords that contain values rather than schemas. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Keywords used only by our own validation, which clients don't need. */
const ownMarks: ReadonlySet<string> = new Set([
  'x-null-is-absent',
  'x-case-insensitive',
  'x-also-sent',
  'x-keeps-others',
  'x-whole-too',
]);

/**
 * Moves each schema with a title to the components, under that title, and replaces it with a reference that
 * keeps the original description. Patterns are replaced with portable patterns that don't need flags.
 * @throws Error if two different schemas have the same title
 */
export function nameModels<Document extends object>(document: Document): Document {
  const models = new Map<string, object>();
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null) return value;
    const node: Json = {};
    for (const [key, each] of Object.entries(value)) {
      if (ownMarks.has(key)) continue;
      if (key === 'pattern' && typeof each === 'string') node[key] = portablePatterns.get(each) ?? each;
      else node[key] = values.has(key) ? each : named(each);
    }
    if (typeof node.title !== 'string' || !isSchema(node)) return spellOutRules(node);
    const { title, 'x-description': description, ...rest } = node;
    const schema = spellOutRules(rest);
    const known = models.get(title);
    if (known === undefined) models.set(title, schema);
    else if (JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas of the document are named ${title}`);
    const reference = { $ref: `#/components/schemas/${title}` };
    return description === undefined ? reference : { ...reference, description };
  };
  const { components, ...rest } = named(document) as Json;
  const schemas = Object.fromEntries([...models].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...rest, components: { ...(components as Json), schemas } } as unknown as Document;
}

const isSchema = (node: Json): boolean => 'type' in node || 'anyOf' in node || 'oneOf' in node;
