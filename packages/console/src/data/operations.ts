import { send } from './client.ts';
import described from './operations.json' with { type: 'json' };

export type OperationName = keyof typeof described;

interface Form {
  readonly method: string;
  readonly path: string;
  /** Whether a request repeats its subject's name. */
  readonly confirms: boolean;
  readonly fields: Readonly<Record<string, FieldFacts>>;
}

interface FieldFacts {
  readonly hint: string;
  readonly isRequired: boolean;
  /** An empty text means null; otherwise the field is left out. */
  readonly isNullable?: boolean;
  readonly isList?: boolean;
  readonly isNumber?: boolean;
  readonly maxLength?: number;
  readonly words?: readonly string[];
  readonly initial?: string;
}

const forms: Readonly<Record<OperationName, Form>> = described;

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value?: string | undefined;
  readonly options?: readonly (readonly [value: string, text: string])[] | undefined;
  readonly maxLength?: number | undefined;
  readonly isOptional?: boolean | undefined;
}

/** By field name: a label, or overrides of the operation's facts. */
export type FormFields = Readonly<
  Record<string, string | (Partial<FormField> & { label: string })>
>;

export function formFieldsOf(
  operation: OperationName,
  overrides: FormFields,
): readonly FormField[] {
  return Object.entries(overrides).map(([name, own]) => {
    const { hint, isRequired, initial, maxLength, words } = forms[operation].fields[name] ?? {};
    return {
      ...{ name, hint, maxLength, value: initial, isOptional: isRequired === false },
      ...(words && { options: words.map((word) => [word, word] as const) }),
      ...(typeof own === 'string' ? { label: own } : own),
    };
  });
}

/** An empty text leaves its field out. */
export function inputOf(operation: OperationName, texts: Readonly<Record<string, string>>) {
  const { fields } = forms[operation];
  const entries = Object.entries(texts).flatMap(([name, text]) => {
    const value = jsonOf(text, fields[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function jsonOf(text: string, facts: FieldFacts | undefined): unknown {
  const { isNullable, isList, isNumber } = facts ?? {};
  if (text.trim() === '') return isNullable === true ? null : undefined;
  if (isList === true) return listIn(text);
  return isNumber === true ? Number(text) : text;
}

export function listIn(text: string): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}

export interface Common {
  readonly reason: string;
  readonly dryRun?: true;
  readonly confirm?: string;
}

/** Throws a RequestError, with status 412 where `etag` is outdated. */
export function sendChange<Done>(
  operation: OperationName,
  input: object,
  { confirm, ...common }: Common,
  etag?: string,
): Promise<Done> {
  const { method, path, confirms } = forms[operation];
  const values = new Map<string, unknown>(Object.entries(input));
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(values.get(name)));
    values.delete(name);
    return value;
  });
  const confirmed = confirms && confirm !== undefined ? { confirm } : {};
  const body = { ...common, ...confirmed, ...Object.fromEntries(values) };
  return send<Done>(method, address, body, etag);
}
