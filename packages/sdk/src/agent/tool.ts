import type { Tool } from '@model-gateway/contract';
import { checkNames, checkTimer } from '../lib/check-option.ts';
import { isObject } from '../lib/is-record.ts';
import {
  describeSchema,
  type JsonSchema,
  type NeedsType,
  type SchemaOutput,
  type StandardSchema,
  type StandardSchemaOf,
  type Validity,
} from '../lib/schema.ts';

/** The second argument of a tool's function. */
export interface ToolContext {
  /** Aborts when the run ends or the tool's `timeoutMs` is over: pass it to awaited operations. */
  readonly signal: AbortSignal;
  /** The model's id of this call; another turn may use it again. */
  readonly toolCallId: string;
  /** The number of the turn that called it; the first is 1. */
  readonly turn: number;
  /**
   * Identifies this call, for the tool's own writes: `K:2:call_1` for a run with the key K. A run
   * resumed from `error.run` repeats a tool whose result was lost with the same key, so an order is
   * not made twice.
   */
  readonly idempotencyKey: string;
  /**
   * The service's run that enforces `maxCostUsd`, where it exists. With the header `x-run-id` the
   * tool's own calls count too.
   */
  readonly runId?: string | undefined;
}

/** The argument of `tool`. */
export interface ToolDefinition<Schema, Input> {
  /** The tool's name for the model, unique within a run. */
  readonly name: string;
  /** Describes to the model what the tool does and when to use it. */
  readonly description?: string | undefined;
  /** The schema of its input: plain JSON Schema, or a Standard Schema that can describe itself. */
  readonly input: Schema;
  /**
   * Executes the tool. A text is the result as it is, anything else becomes JSON. An exception goes
   * to the model, not to the caller of `runAgent`; only the message of a `ToolError` is included.
   */
  readonly execute: (input: Input, context: ToolContext) => unknown;
  /** The time limit of one execution, in milliseconds. Default: no limit but the run's end. */
  readonly timeoutMs?: number | undefined;
}

// Registered: a tool of one copy of this package works in a run of another.
const toolInside: unique symbol = Symbol.for('@model-gateway/sdk/tool');

/**
 * A tool that `runAgent` can execute, whatever its input's type. `agent` also accepts it and sends
 * only its description.
 */
export interface AgentTool extends Tool {
  /** The implementation; JSON and logs do not show it. */
  readonly [toolInside]: unknown;
}

/** The implementation of a tool. */
export interface ToolInside {
  readonly timeoutMs: number | undefined;
  validate(input: unknown): Promise<Validity>;
  /** Gets input that `validate` accepted. */
  execute(input: unknown, context: ToolContext): unknown;
}

/**
 * Makes a tool for `runAgent`. A Standard Schema determines the input's type; a plain JSON Schema
 * needs a type argument: `tool<{ city: string }>({ … })`.
 * @throws TypeError for a bad definition, with the correction.
 * @example
 * const weather = tool({
 *   name: 'weather',
 *   description: 'The weather of a city',
 *   input: z.object({ city: z.string() }),
 *   execute: ({ city }, { signal }) => fetchWeather(city, signal),
 * });
 */
export function tool<Schema extends StandardSchema>(
  definition: ToolDefinition<Schema, SchemaOutput<Schema>>,
): AgentTool;
export function tool<Input = never>(
  definition: ToolDefinition<JsonSchema | StandardSchemaOf<Input>, Input> & NeedsType<Input>,
): AgentTool;
export function tool(definition: unknown): AgentTool {
  const names = ['name', 'description', 'input', 'execute', 'timeoutMs'];
  const { name, description, input, execute, timeoutMs } = checkNames('tool', definition, names);
  if (typeof name !== 'string' || name === '') {
    throw new TypeError('tool: name must be a string, such as "weather"');
  }
  const owner = `tool ${name}`;
  if (description !== undefined && typeof description !== 'string') {
    throw new TypeError(`${owner}: description must be a string`);
  }
  if (typeof execute !== 'function') {
    throw new TypeError(`${owner}: execute must be a function that takes the input`);
  }
  const { jsonSchema, validate } = describeSchema(`${owner}: input`, input);
  const inside: ToolInside = {
    timeoutMs:
      timeoutMs === undefined
        ? undefined
        : checkTimer(owner, 'timeoutMs', timeoutMs, 'the time of the run'),
    validate,
    execute: (value, context) => Reflect.apply(execute, undefined, [value, context]),
  };
  const shown = description === undefined ? {} : { description };
  return { name, ...shown, inputSchema: { ...jsonSchema }, [toolInside]: inside };
}

/** The tools of a run by their names; throws a TypeError that names the correction. */
export function checkTools(owner: string, tools: unknown): ReadonlyMap<string, ToolInside> {
  if (!Array.isArray(tools) || !tools.every(isAgentTool)) {
    throw new TypeError(`${owner}: tools must be a list made with tool({ … })`);
  }
  const byName = new Map<string, ToolInside>();
  for (const entry of tools) {
    if (byName.has(entry.name)) {
      throw new TypeError(`${owner}: two tools are named ${entry.name}; rename one`);
    }
    byName.set(entry.name, entry[toolInside]);
  }
  return byName;
}

function isAgentTool(value: unknown): value is AgentTool & { readonly [toolInside]: ToolInside } {
  return isObject(value) && toolInside in value;
}
