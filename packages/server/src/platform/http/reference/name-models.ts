import { portablePatterns } from '../schemas/schemas.ts';
import { spellOutRules } from './spell-out-rules.ts';

type Json = Record<string, unknown>;

/** Keywords whose content is values, in which nothing is a schema. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Said to our own validation, and nothing that clients need to know. */
const ownMarks: ReadonlySet<string> = new Set([
  'x-null-is-absent',
  'x-case-insensitive',
  'x-also-sent',
  'x-keeps-others',
  'x-whole-too',
]);

/**
 * The document as people read it: each schema with a title stands once, under that name in components, and where it
 * was there is a reference to it, with what is said of that place. Patterns are those that need no flags.
 * @throws Error when two schemas of one name are not the same
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
    const { title, 'x-said': said, ...rest } = node;
    const schema = spellOutRules(rest);
    const known = models.get(title);
    if (known === undefined) models.set(title, schema);
    else if (JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas of the API's document are called ${title}`);
    const reference = { $ref: `#/components/schemas/${title}` };
    return said === undefined ? reference : { ...reference, description: said };
  };
  const { components, ...rest } = named(document) as Json;
  const schemas = Object.fromEntries([...models].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...rest, components: { ...(components as Json), schemas } } as unknown as Document;
}

const isSchema = (node: Json): boolean => 'type' in node || 'anyOf' in node || 'oneOf' in node;
