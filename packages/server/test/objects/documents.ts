import fc from 'fast-check';

const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom('string', 'object', 'a', '^a$', 'x y', 1.5, 0, true, false, null),
);
const odd = fc.oneof(
  scalar,
  fc.uniqueArray(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'type'), scalar, { maxKeys: 2, noNullPrototype: true }),
);
/** The library's copy of the meta-schema requires unique items; ours does not. */
const different = fc.uniqueArray(odd, { minLength: 1, maxLength: 3, selector: JSON.stringify });
const name = fc.constantFrom('a', 'b', 'toString', 'type', '$ref');
const names = fc.uniqueArray(name, { maxLength: 3 });
const count = fc.nat(4);
const number = fc.oneof(count, fc.constantFrom(-1, 1.5));
const text = fc.constantFrom('email', 'A title.');
const type = fc.constantFrom('string', 'object', 'array', 'integer', 'number', 'null', 'boolean');

type Keywords = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** A valid value for each keyword. */
function keywordsOf(schema: fc.Arbitrary<unknown>): Keywords {
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(name, schema, { maxKeys: 3 });
  const byPattern = fc.dictionary(fc.constantFrom('^a', 'b$', '(x|y)+'), schema, { maxKeys: 2 });
  return {
    ...{ properties: byName, patternProperties: byPattern, required: names },
    ...{ additionalProperties: schema, propertyNames: schema, minProperties: count },
    ...{ dependencies: fc.dictionary(name, fc.oneof(schema, names), { maxKeys: 2 }) },
    ...{ dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }), dependentSchemas: byName },
    ...{
      items: fc.oneof(schema, schemas),
      prefixItems: schemas,
      additionalItems: schema,
      contains: schema,
    },
    ...{ minItems: count, maxItems: count, uniqueItems: fc.boolean(), minContains: count },
    ...{ minLength: count, maxLength: count, pattern: fc.constantFrom('^a', '(a|b)+$', '\\-') },
    ...{ minimum: number, exclusiveMaximum: number, multipleOf: fc.constantFrom(1, 0.5, 3) },
    ...{ enum: different, const: odd, default: odd },
    ...{ allOf: schemas, anyOf: schemas, oneOf: schemas, not: schema, if: schema },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema has named it so.
    ...{ then: schema, else: schema, unevaluatedProperties: schema, unevaluatedItems: schema },
    ...{ title: text, format: text, readOnly: fc.boolean(), examples: fc.array(odd) },
    ...{ nullable: odd, id: odd, unknown: odd },
  };
}

/** A few keywords, now and then one with an invalid value. */
function schemaOf(part: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const keywords = Object.entries(keywordsOf(part));
  const entry = fc.constantFrom(...keywords).chain(([keyword, value]) => {
    const given = fc.oneof({ weight: 20, arbitrary: value }, odd);
    return given.map((chosen) => [keyword, chosen] as const);
  });
  const types = fc.oneof(
    type.map((one) => ({ type: one })),
    fc.uniqueArray(type, { minLength: 1, maxLength: 3 }).map((several) => ({ type: several })),
    fc.constant({}),
  );
  return fc
    .tuple(types, fc.array(entry, { maxLength: 4 }))
    .map(([head, entries]) => ({ ...head, ...Object.fromEntries(entries) }));
}

const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    type.map((one) => ({ type: one })),
    fc.constant({ $ref: '#' }),
    schemaOf(tie('schema')),
  ),
}));

/** Objects, usually JSON Schemas, of either dialect. */
export const documents: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(schemaOf(schema), fc.boolean())
  .map(([root, isNew]) => (isNew ? { ...root, $schema: draft2020 } : root));
