import type {
  AgentAnswer,
  ChatAnswer,
  ChatRequest,
  CreditsAnswer,
  ModelsAnswer,
  ObjectAnswer,
  UsageAnswer,
} from '@model-gateway/contract';
import { type AgentRun, startAgentRun } from '../agent/agent-run.ts';
import { checkRun } from '../agent/run-settings.ts';
import type { AgentRunOptions, AgentRunRequest } from '../agent/run-types.ts';
import { startTurnLoop } from '../agent/turn-loop.ts';
import { createAbortHub } from '../call/abort-hub.ts';
import { type Call, makeCall } from '../call/call.ts';
import { describeObject, type ObjectCallRequest } from '../call/object.ts';
import {
  type CallOptions,
  type ClientOptions,
  checkClientOptions,
  type ReadOptions,
} from '../call/options.ts';
import type { AgentTurnRequest } from '../call/requests.ts';
import type { RunMethods } from '../call/runs.ts';
import { machineTime, type Runtime } from '../call/runtime.ts';
import { type Owner, type Target, targetOf } from '../call/targets.ts';
import { checkRequest } from '../lib/checks.ts';
import { createRedactor } from '../lib/redact.ts';
import type {
  JsonSchema,
  NeedsType,
  SchemaOutput,
  StandardSchema,
  StandardSchemaOf,
} from '../lib/schema.ts';
import { createStreamMethods, type StreamMethods } from '../stream/client-streams.ts';
import type { EmbedMethods } from './embed.ts';
import { describeQuote, type QuoteMethods } from './quote.ts';

/**
 * The client of one app. Its methods work unbound, and any number of calls can share them.
 *
 * Every method rejects with an `LlmError`, or with a `TypeError` for invalid arguments: then
 * nothing was sent.
 */
export interface Client extends StreamMethods, EmbedMethods, QuoteMethods, RunMethods {
  /**
   * Requests a model's response in a conversation.
   * @throws LlmError; of note: TRUNCATED (raise `maxTokens`), BUDGET_EXCEEDED (until 00:00 UTC),
   * INSUFFICIENT_CREDITS (the user's wallet), TIMEOUT (no response within `timeoutMs`).
   */
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer>;
  /**
   * Requests an object that fits a schema, which the service checks. The schema of a library (zod,
   * arktype, valibot) checks it again here, and determines its type.
   * @throws LlmError, with the codes of `chat`, and BAD_OUTPUT: the model's output does not fit the
   * schema. The output is paid for, and a retry is a new call. The status is 200 if only the
   * library's schema rejected it.
   */
  object<Schema extends StandardSchema>(
    request: ObjectCallRequest<Schema>,
    options?: CallOptions,
  ): Promise<ObjectAnswer<SchemaOutput<Schema>>>;
  /**
   * The same with a plain JSON Schema, which only the service checks: it describes `T`.
   * @throws LlmError; of note: BAD_OUTPUT, and those of `chat`.
   */
  object<T = never>(
    request: ObjectCallRequest<JsonSchema | StandardSchemaOf<T>> & NeedsType<T>,
    options?: CallOptions,
  ): Promise<ObjectAnswer<T>>;
  /**
   * Makes one turn of an agent: the model responds, or calls tools.
   * @throws LlmError; of note: BAD_OUTPUT (an unknown tool, or input that does not fit it), and
   * those of `chat`.
   */
  agent(request: AgentTurnRequest, options?: CallOptions): Promise<AgentAnswer>;
  /**
   * Makes turns until the agent finishes: the model calls tools, they run in parallel, and it gets
   * their results. Await the whole run, or follow it with
   * `for await (const step of client.runAgent(…).steps())`.
   * @throws LlmError with `run`, to resume: `{ resume: error.run }`. With an idempotency key K the
   * turns have the keys K:1, K:2, ….
   */
  runAgent(request: AgentRunRequest, options?: AgentRunOptions): AgentRun;
  /**
   * The app's budget and usage, of this UTC day and of the last 30 days with a call.
   * @throws LlmError
   */
  usage(options?: ReadOptions): Promise<UsageAnswer>;
  /**
   * The models that the app may use, with their prices.
   * @throws LlmError
   */
  models(options?: ReadOptions): Promise<ModelsAnswer>;
  /**
   * A user's wallet of this UTC month. A new user has the full grant.
   * @param userId 1–128 characters, no `/`, and neither `.` nor `..`
   * @throws LlmError; of note: CREDITS_NOT_ENABLED (the app does not meter credits).
   */
  credits(userId: string, options?: ReadOptions): Promise<CreditsAnswer>;
  /**
   * A client with these options; all others stay as they are.
   * @throws TypeError for a bad option, with the correction.
   */
  withOptions(options: ClientOptions): Client;
}

/** Creates a client; missing clocks, timers and random numbers are the machine's. */
export function createClientWith(
  given: Partial<Runtime> & Pick<Runtime, 'uuid'>,
  options: ClientOptions,
): Client {
  const runtime = { ...machineTime(), ...given };
  const settings = checkClientOptions(options);
  const redactor = createRedactor(settings.apiKey);
  const parts = { runtime, settings, hub: createAbortHub(), redactor };

  const sendRequest = async <Answer extends object>(owner: Owner, call: Omit<Call, keyof Target>) =>
    makeCall<Answer>(parts, { ...targetOf(owner), ...call });

  /** A method that sends a request; its type gives the request and the result. */
  function posting(owner: 'chat' | 'agent' | 'embed' | 'createRun') {
    return async <Answer extends object>(request: object, options?: CallOptions) =>
      sendRequest<Answer>(owner, { body: checkRequest(owner, request), options });
  }

  /** A method whose argument is an id. */
  function methodById(owner: 'credits' | 'getRun' | 'endRun', how?: Pick<Call, 'method'>) {
    return async <Answer extends object>(id: string, options?: ReadOptions) => {
      const path = targetOf(owner).path + writeId(owner, id);
      return makeCall<Answer>(parts, { ...how, owner, path, options });
    };
  }

  const createRun = posting('createRun');
  const endRun = methodById('endRun', { method: 'DELETE' });

  async function object(
    request: ObjectCallRequest<unknown>,
    options?: CallOptions,
  ): Promise<ObjectAnswer<never>> {
    const { body, judge } = describeObject<never>('object', request);
    return makeCall(parts, { ...targetOf('object'), body, options }, judge);
  }

  return {
    ...createStreamMethods(parts),
    chat: posting('chat'),
    object,
    agent: posting('agent'),
    embed: posting('embed'),
    runAgent: (request, runOptions = {}) => {
      const begin = (isFollowed: boolean) => {
        const run = checkRun(settings, checkRequest('runAgent', request), runOptions);
        return startTurnLoop(parts, run, { createRun, endRun, isFollowed });
      };
      return startAgentRun(begin, runtime.after);
    },
    quote: async (quoteRequest, readOptions) =>
      sendRequest('quote', {
        body: describeQuote(quoteRequest),
        options: readOptions,
        isRead: true,
      }),
    withOptions: (more) => createClientWith(given, { ...options, ...more }),
    usage: (readOptions) => sendRequest('usage', { options: readOptions }),
    models: (readOptions) => sendRequest('models', { options: readOptions }),
    credits: methodById('credits'),
    createRun,
    getRun: methodById('getRun'),
    endRun,
  };
}

function writeId(owner: Owner, id: unknown): string {
  try {
    if (typeof id === 'string' && /^(?!\.{1,2}$)[^/]+$/.test(id)) return encodeURIComponent(id);
  } catch {
    // Half of a surrogate pair, which no URL can contain.
  }
  throw new TypeError(`${owner}: the id must be a string without "/", not "." or ".."`);
}
