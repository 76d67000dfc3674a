import type { JsonObject } from '@model-gateway/contract';
import { isObject, isRecord } from './is-record.ts';

/**
 * A JSON Schema as plain data: a literal, or a value of a library's interface, such as
 * `JSONSchema7` of `@types/json-schema` or a schema of TypeBox. Only the service checks with it.
 */
export type JsonSchema = JsonObject | JsonSchemaObject;

/** An interface has no index signature: a declared keyword identifies it. */
interface JsonSchemaObject {
  readonly '~standard'?: never;
  readonly $schema?: unknown;
  readonly $ref?: unknown;
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly required?: unknown;
  readonly enum?: unknown;
  readonly anyOf?: unknown;
}

/**
 * A schema that validates and can describe itself as JSON Schema, by the Standard Schema and
 * Standard JSON Schema specifications. Libraries: zod 4.2, arktype 2.1.28, valibot through
 * `toStandardJsonSchema`, and others.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-07' }) => object;
    };
  };
}

/**
 * A {@link StandardSchema} whose values have a known type, such as from `z.toJSONSchema`: for calls
 * that also write the type.
 */
export type StandardSchemaOf<T> = StandardSchema & {
  readonly '~standard': { readonly types?: { readonly output: T } | undefined };
};

/** A {@link StandardSchema}'s result: the output value, or the mismatches. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One mismatch with a {@link StandardSchema}. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of the values that a {@link StandardSchema} outputs. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output'];

/**
 * Compiles only with `T`: a plain JSON Schema has no static type, so the call must name it, as in
 * `object<City>({ … })` and `tool<City>({ … })`.
 */
export type NeedsType<T> = T extends unknown ? unknown : never;

/** One mismatch, with its path within the value: `city`, `items.0.name`. */
export interface SchemaIssue {
  /** Property names joined by dots; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A schema's result for a value. */
export type Validity =
  | { readonly kind: 'valid'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly issues: readonly SchemaIssue[] };

/** A schema, ready for the wire and for checking responses. */
export interface DescribedSchema {
  readonly jsonSchema: object;
  /** For a plain JSON Schema it accepts every value: the service checks them. */
  validate(value: unknown): Promise<Validity>;
}

/** Describes a schema as JSON Schema; throws a TypeError that names the correction. */
export function describeSchema(owner: string, schema: unknown): DescribedSchema {
  const standard = readStandard(schema);
  if (standard !== undefined) {
    const { vendor, validate, jsonSchema } = standard;
    const { input } = Object(jsonSchema);
    const subject = `${owner}: this schema of ${vendor}`;
    if (typeof validate !== 'function' || typeof input !== 'function') {
      const cure = cures.get(vendor) ?? `use a version of ${vendor} that describes and validates`;
      throw new TypeError(
        `${subject} cannot describe itself as JSON Schema; ${cure}, or pass plain JSON Schema`,
      );
    }
    const convert = () => Reflect.apply(input, jsonSchema, [{ target: 'draft-07' }]);
    const described = converted(subject, convert);
    return { jsonSchema: described, validate: async (value) => readResult(await validate(value)) };
  }
  if (isPlain(schema)) {
    return { jsonSchema: schema, validate: async (value) => ({ kind: 'valid', value }) };
  }
  const known = [...cures].map(([vendor, cure]) => `${vendor} (${cure})`).join(', ');
  throw new TypeError(
    `${owner} must be JSON Schema as plain data, or a Standard Schema that can describe itself: ${known}`,
  );
}

type StandardParts = Partial<Readonly<Record<'vendor' | 'validate' | 'jsonSchema', unknown>>>;

function readStandard(schema: unknown): StandardParts | undefined {
  // The schemas of arktype are functions.
  const isHolder = isObject(schema) || typeof schema === 'function';
  if (!isHolder || !('~standard' in schema)) return undefined;
  const standard = schema['~standard'];
  return isObject(standard) ? standard : undefined;
}

const cures: ReadonlyMap<unknown, string> = new Map([
  ['zod', 'use zod 4.2 or later, not zod/mini'],
  ['arktype', 'use arktype 2.1.28 or later'],
  ['valibot', 'wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema 1.5 or later'],
  ['effect', 'wrap it twice: Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema))'],
]);

function converted(subject: string, convert: () => unknown): object {
  try {
    const described = convert();
    if (isObject(described)) return described;
    throw new TypeError('not an object');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `${subject} has a part that JSON Schema cannot describe (${reason}); ` +
        'replace it, such as a date by a string',
      { cause },
    );
  }
}

function readResult(result: StandardResult): Validity {
  if (result.issues === undefined) return { kind: 'valid', value: result.value };
  const issues = result.issues.map(({ message, path = [] }) => ({
    path: path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
    message: String(message),
  }));
  return { kind: 'invalid', issues };
}

/** Data of any realm: an instance of a class is some library's schema. */
function isPlain(value: unknown): value is object {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
