import type { Field } from '../../packages/server/src/operations/description/field.ts';
import {
  fieldsOf,
  type Operation,
} from '../../packages/server/src/operations/description/operation.ts';

/** The console's data of each change: its route and its fields. */
export function consoleForms(operations: readonly Operation[]): string {
  const forms = operations
    .filter(({ kind, http }) => kind === 'change' && http.length > 0)
    .map((operation) => [operation.name, formOf(operation)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = forms.map(([name, form]) => `  ${JSON.stringify(name)}: ${JSON.stringify(form)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

function formOf(operation: Operation) {
  const [address = ''] = operation.http;
  const [method = '', path = ''] = address.split(' ');
  const fields = Object.entries(fieldsOf(operation, operation.http[0] ?? ''));
  return {
    ...{ method, path, confirms: operation.danger !== undefined },
    fields: Object.fromEntries(fields.map(([name, field]) => [name, facts(field)])),
  };
}

function facts({ schema, about, isRequired, initial, words }: Field<unknown>) {
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') === true;
  const [value = schema] = isNullable ? (schema.anyOf ?? []) : [schema];
  return {
    ...{ hint: `${about.charAt(0).toUpperCase()}${about.slice(1)}`, isRequired },
    ...(isNullable && { isNullable }),
    ...(value.type === 'array' && { isList: true }),
    ...(value.type === 'integer' && { isNumber: true }),
    ...(value.maxLength !== undefined && { maxLength: value.maxLength }),
    ...(words !== undefined && { words }),
    ...(initial !== undefined && { initial }),
  };
}
