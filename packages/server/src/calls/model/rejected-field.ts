import { isRecord, joinPath } from '../../lib/json-value.ts';
import { type FieldMeaning, fieldLines, wrapperLines } from '../../platforms/statements/fields.ts';
import { type NamedCall, sentIn } from './api-names.ts';

type Path = readonly (string | number)[];

const meanings: ReadonlyMap<string, FieldMeaning> = new Map(
  fieldLines.map(({ field, means }) => [field, means]),
);
const wrappers: ReadonlySet<string> = new Set(wrapperLines.map(({ step }) => step));

/** Below these keys, paths are caller data: schema names, tool input. */
const ends: ReadonlySet<string> = new Set([
  ...['schema', 'parameters', 'inputSchema', 'input_schema', 'json_schema', 'metadata'],
  ...['input', 'arguments'],
]);

const toolSchemas: ReadonlySet<string> = new Set([
  ...['parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema'],
]);

/** The first reported field that the caller sent, with the caller's names and path. */
export function rejectedField(fields: readonly string[], call: NamedCall): string | undefined {
  if (fields.length === 0) return undefined;
  const body = sentIn(call);
  for (const field of fields) {
    const match = fieldIn(body, stepsOf(field), call);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** `messages.[2].content` is `['messages', 2, 'content']`. */
function stepsOf(field: string): Path {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  const first = steps.findIndex((step) => !wrappers.has(step));
  return steps
    .slice(Math.max(0, first))
    .map((step) => (/^\d{1,4}$/.test(step) ? Number(step) : step));
}

function fieldIn(
  body: Readonly<Record<string, unknown>>,
  [first, ...rest]: Path,
  call: NamedCall,
): string | undefined {
  if (typeof first !== 'string') return undefined;
  const { fields } = call.context.names;
  const meaning = meanings.get(first);
  const own = body[first] === undefined ? [] : [first];
  const [name] = [...own, ...((meaning && fields[meaning]) ?? [])].filter(
    (known) => body[known] !== undefined,
  );
  if (name === undefined) return undefined;
  if (meaning === 'tools') return toolIn(body[name], name, rest, call);
  // Another API format rewrites the conversation, so its positions differ.
  const isRelayed = call.operation.name === 'messages' || call.operation.name === 'responses';
  const isSame = name === first && (meaning !== 'messages' || isRelayed);
  const isData = ends.has(name) && meaning !== 'messages';
  return isSame && !isData ? walk(body[name], name, rest) : name;
}

/** Tool positions match in every format; the schema's position depends on the API format. */
function toolIn(tools: unknown, name: string, rest: Path, call: NamedCall): string {
  // Google puts all functions into one tool.
  const isNested = rest[1] === 'function_declarations' || rest[1] === 'functionDeclarations';
  const at = isNested ? rest[2] : rest[0];
  if (typeof at !== 'number' || !Array.isArray(tools) || tools[at] === undefined) return name;
  const tool = joinPath(name, at);
  const isSchema = rest.some((step) => typeof step === 'string' && toolSchemas.has(step));
  if (!isSchema) return tool;
  const path = call.context.names.toolSchema.split('.');
  const schema = path.reduce<unknown>((value, step) => {
    return isRecord(value) ? value[step] : undefined;
  }, tools[at]);
  return schema === undefined ? tool : path.reduce(joinPath, tool);
}

/** Stops before a step that the body lacks, and before caller data. */
function walk(value: unknown, path: string, [step, ...rest]: Path): string {
  const inner = step === undefined ? undefined : innerOf(value, step);
  if (step === undefined || inner === undefined) return path;
  const next = joinPath(path, step);
  return typeof step === 'string' && ends.has(step) ? next : walk(inner, next, rest);
}

function innerOf(value: unknown, step: string | number): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
