import { isRecord } from '../../lib/json-value.ts';

/** Below a renamed field, each form has only its own names. */
type Names = 'both' | 'current' | 'former';

/**
 * A field's schema names its former name as `was`. For one release a response contains the field
 * under both names.
 */
export function withFormerNames(schema: unknown, value: unknown): unknown {
  return valueNamed(schema, value, 'both');
}

function valueNamed(schema: unknown, value: unknown, names: Names): unknown {
  if (names === 'current' || !hasFormerName(schema)) return value;
  if (Array.isArray(value)) {
    const items = partOf(schema, 'items');
    return value.map((item) => valueNamed(items, item, names));
  }
  if (!isRecord(value)) return value;
  const properties = partOf(schema, 'properties');
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const field = isRecord(properties) ? properties[name] : undefined;
      return namesOf(name, field, names).map(
        ([each, below]) => [each, valueNamed(field, inner, below)] as const,
      );
    }),
  );
}

/** Returns the part of the first alternative that has it. */
function partOf(schema: unknown, part: 'items' | 'properties'): unknown {
  if (!isRecord(schema)) return undefined;
  const { anyOf } = schema;
  return Array.isArray(anyOf)
    ? anyOf.map((one) => partOf(one, part)).find((match) => match !== undefined)
    : schema[part];
}

function namesOf(
  name: string,
  field: unknown,
  names: Names,
): readonly (readonly [name: string, below: Names])[] {
  const former = formerNameOf(field);
  if (names === 'former') return [[former ?? name, 'former']];
  if (names === 'current' || former === undefined) return [[name, names]];
  return [
    [name, 'current'],
    [former, 'former'],
  ];
}

function formerNameOf(field: unknown): string | undefined {
  return isRecord(field) && typeof field.was === 'string' ? field.was : undefined;
}

const cache = new WeakMap<object, boolean>();

export function hasFormerName(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const has =
    cache.get(schema) ??
    (formerNameOf(schema) !== undefined || Object.values(schema).some(hasFormerName));
  cache.set(schema, has);
  return has;
}

/** Returns the JSON Schema of `withFormerNames`: former names are deprecated. */
export function describeFormerNames(schema: unknown): unknown {
  return schemaNamed(schema, 'both');
}

function schemaNamed(schema: unknown, names: Names): unknown {
  if (!hasFormerName(schema)) return schema;
  if (Array.isArray(schema)) return schema.map((one) => schemaNamed(one, names));
  if (!isRecord(schema)) return schema;
  const { was, properties, required, ...rest } = schema;
  const others = Object.entries(rest).map(([key, part]) => [key, schemaNamed(part, names)]);
  if (!isRecord(properties)) return Object.fromEntries(others);
  const listed = Array.isArray(required) ? required.map(String) : [];
  return {
    ...Object.fromEntries(others),
    required: listed.flatMap((name) => namesOf(name, properties[name], names).map(([one]) => one)),
    properties: Object.fromEntries(
      Object.entries(properties).flatMap(([name, field]) =>
        namesOf(name, field, names).map(([one, below]) => {
          const described = schemaNamed(field, below);
          const isAlias = names === 'both' && one !== name;
          return [one, isAlias ? asAlias(described, name) : described] as const;
        }),
      ),
    ),
  };
}

function asAlias(schema: unknown, name: string): unknown {
  const description = `Deprecated alias of \`${name}\``;
  return { ...(isRecord(schema) ? schema : {}), deprecated: true, description };
}
