type Json = Record<string, unknown>;

interface Rule {
  required: readonly string[];
  properties?: Json;
}

/**
 * An object with a rule about which properties it has, as one whole object for each way to keep it. They mean the
 * same of properties of the right types; but what makes programs of the document makes nothing of branches that only say `required`.
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
  // That it has some property, and none but these, says that it has one of these.
  const some =
    minProperties === 1 && additionalProperties === false ? Object.keys(all).map(having) : undefined;
  const rules = (oneOf ?? anyOf ?? some) as readonly Rule[] | undefined;
  if (type !== 'object' || rules === undefined) return schema;
  const named = rules.flatMap((rule) => rule.required);
  return {
    ...rest,
    [keyword]: rules.map((rule) => {
      const others = keyword === 'oneOf' ? named.filter((name) => !rule.required.includes(name)) : [];
      const kept = Object.entries(all)
        .filter(([name]) => !others.includes(name))
        .map(([name, each]) => [name, { ...(each as Json), ...(rule.properties?.[name] as Json) }]);
      return {
        type,
        required: [...(required as string[]), ...rule.required],
        properties: Object.fromEntries(kept),
        ...(additionalProperties !== undefined && { additionalProperties }),
      };
    }),
  };
}

const having = (name: string): Rule => ({ required: [name] });
