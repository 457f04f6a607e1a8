type Json = Record<string, unknown>;

interface Rule {
  required: readonly string[];
  properties?: Json;
}

/**
 * Rewrites an object schema that has a rule about its properties as several complete object schemas, one for
 * each way to satisfy the rule. The meaning is the same, but client generators can't handle branches that
 * contain only `required`.
 */
export function spellOutRules(schema: Json): Json {
  const {
    type,
    properties,
    required = [],
    oneOf,
    anyOf,
    minProperties,
    additionalProperties,
    ...rest
  } = schema;
  const all = properties as Json;
  const keyword = oneOf === undefined ? 'anyOf' : 'oneOf';
  // An object that must have at least one property, and may only have listed ones, must have at least one of the listed
  // properties.
  const some =
    minProperties === 1 && additionalProperties === false ? Object.keys(all).map(having) : undefined;
  const rules = (oneOf ?? anyOf ?? some) as readonly Rule[] | undefined;
  if (type !== 'object' || rules === undefined) return schema;
  const named = rules.flatMap((rule) => rule.required);
  return {
    ...rest,
    [keyword]: rules.map((rule) => {
      const others = keyword === 'oneOf' ? named.filter((name) => !rule.required.includes(name)) : [];
      const remaining = Object.entries(all)
        .filter(([name]) => !others.includes(name))
        .map(([name, each]) => [name, { ...(each as Json), ...(rule.properties?.[name] as Json) }]);
      return {
        type,
        required: [...(required as string[]), ...rule.required],
        properties: Object.fromEntries(remaining),
        ...(additionalProperties !== undefined && { additionalProperties }),
      };
    }),
  };
}

const having = (name: string): Rule => ({ required: [name] });
