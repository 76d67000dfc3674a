/** The keywords of a JSON Schema that sentences are made of. */
export interface SchemaFacts {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaFacts[];
  readonly properties?: Readonly<Record<string, SchemaFacts>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly items?: SchemaFacts;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  /** Ours: the clause after "must be", such as "one line of visible text". */
  readonly rule?: string;
}

/** Which kind of value a schema describes: its `type`, or by another keyword. */
export function kindOf(schema: SchemaFacts): string {
  if (schema.type !== undefined) return schema.const === undefined ? schema.type : 'literal';
  if (schema.anyOf !== undefined) return 'union';
  if (schema.enum !== undefined) return 'enum';
  return schema.const === undefined ? 'any' : 'literal';
}

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  array: 'a list',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** A kind in words. */
export function typeName(schema: SchemaFacts): string {
  const kind = kindOf(schema);
  if (kind === 'literal') return JSON.stringify(schema.const);
  if (kind === 'enum') return schema.enum?.map((word) => JSON.stringify(word)).join(' or ') ?? '';
  return names[kind] ?? 'another value';
}
