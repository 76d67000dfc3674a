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

/** What a tool's function gets beside its input. */
export interface ToolContext {
  /** Aborts when the run ends or the tool's `timeoutMs` is over: pass it on to what is awaited. */
  readonly signal: AbortSignal;
  /** The model's id of this call; another turn may use it again. */
  readonly toolCallId: string;
  /** The number of the turn that asked for it; the first is 1. */
  readonly turn: number;
  /**
   * Names this one call for whatever the tool changes: `K:2:call_1` for a run with the key K. A run
   * that is resumed from `error.run` executes a tool again whose result was lost, and this stays
   * the same, so that an order is not made twice.
   */
  readonly idempotencyKey: string;
  /**
   * The service's run that holds this one to its `maxCostUsd`, where there is one: with the header
   * `x-run-id` what the tool calls is held to it as well.
   */
  readonly runId?: string | undefined;
}

/** What `tool` takes. */
export interface ToolDefinition<Schema, Input> {
  /** What the model calls it. No two tools of a run have the same. */
  readonly name: string;
  /** Tells the model what it does and when to use it. */
  readonly description?: string | undefined;
  /** The schema of its input: plain JSON Schema, or a Standard Schema that can describe itself. */
  readonly input: Schema;
  /**
   * Does it. A text is the result as it is, anything else as JSON. What it throws goes to the
   * model, not to the caller of `runAgent`; only the message of a `ToolError` is shown to it.
   */
  readonly execute: (input: Input, context: ToolContext) => unknown;
  /** How long one execution may take, in milliseconds. Default: as long as the run. */
  readonly timeoutMs?: number | undefined;
}

// Registered, so that a tool of one copy of this package works in a run of another.
const toolInside: unique symbol = Symbol.for('@model-gateway/sdk/tool');

/**
 * A tool that `runAgent` can execute, whatever its input's type. It can be given to `agent` as
 * well, which sends its description alone.
 */
export interface AgentTool extends Tool {
  /** What it does; JSON and logs do not show it. */
  readonly [toolInside]: unknown;
}

/** What a tool does. */
export interface ToolInside {
  readonly timeoutMs: number | undefined;
  validate(input: unknown): Promise<Validity>;
  /** Takes what `validate` has passed. */
  execute(input: unknown, context: ToolContext): unknown;
}

/**
 * Makes a tool for `runAgent`. The input's type comes from a Standard Schema; with a plain JSON
 * Schema it is given: `tool<{ city: string }>({ … })`.
 * @throws TypeError for a bad definition, with the cure.
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

/** The tools of a run by their names; throws a TypeError that names the cure. */
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
