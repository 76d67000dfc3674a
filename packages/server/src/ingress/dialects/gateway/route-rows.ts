import { embeddingsPath, routes, streamingPaths } from '@model-gateway/contract';
import type { RoutePattern } from '../../../lib/router.ts';

/** `openapi/components.ts` has a schema for each; the compiler compares them. */
export type SchemaName =
  | 'ChatRequest'
  | 'ObjectRequest'
  | 'AgentRequest'
  | 'EmbeddingsRequest'
  | 'QuoteRequest'
  | 'RunRequest'
  | 'Message'
  | 'Part'
  | 'AssistantMessage'
  | 'ToolCall'
  | 'Tool'
  | 'ChatAnswer'
  | 'ObjectAnswer'
  | 'AgentAnswer'
  | 'EmbeddingsAnswer'
  | 'Usage'
  | 'Cost'
  | 'UsageAnswer'
  | 'UsageTotals'
  | 'Budget'
  | 'ModelsAnswer'
  | 'ModelEntry'
  | 'Price'
  | 'CreditsAnswer'
  | 'QuoteAnswer'
  | 'NewRunAnswer'
  | 'RunAnswer'
  | 'RootAnswer'
  | 'HealthAnswer'
  | StreamSchemaName;

export type StreamSchemaName = 'StreamStart' | 'StreamText' | 'StreamError';

export type RouteRow = RoutePattern & {
  readonly summary: string;
} & (
    | { readonly kind: 'open'; readonly answers: Readonly<Record<number, SchemaName>> }
    | { readonly kind: 'call'; readonly body: SchemaName; readonly answer: SchemaName }
    | {
        readonly kind: 'ask';
        readonly body: SchemaName;
        readonly answer: SchemaName;
        readonly status: 200 | 201;
        readonly errors: 'Quote' | 'NewRun';
        /** Retries with the same idempotency key get the same result. */
        readonly isKeyed: boolean;
      }
    | {
        readonly kind: 'report';
        readonly answer: SchemaName;
        readonly errors: 'Read' | 'Credits' | 'Run';
      }
    | {
        readonly kind: 'stream';
        readonly label: string;
        readonly body: SchemaName;
        readonly answer: SchemaName;
        readonly streamed: string;
      }
  );

const streaming = {
  method: '*',
  kind: 'stream',
  label: 'stream',
  summary: 'Not implemented: every method returns 501',
} as const;

/**
 * In the order of the OpenAPI document. The one table for listener, metrics and OpenAPI;
 * `routes.ts` has the handlers.
 */
export const routeRows = {
  root: {
    ...routes.root,
    ...{ kind: 'open', summary: 'Service name and version', answers: { 200: 'RootAnswer' } },
  },
  health: {
    ...{ ...routes.health, kind: 'open', summary: 'Liveness of the process' },
    answers: { 200: 'HealthAnswer', 503: 'HealthAnswer' },
  },
  chat: {
    ...{ ...routes.chat, kind: 'call', summary: 'Generate text' },
    ...{ body: 'ChatRequest', answer: 'ChatAnswer' },
  },
  objects: {
    ...{ ...routes.objects, kind: 'call', body: 'ObjectRequest', answer: 'ObjectAnswer' },
    summary: 'Generate an object that matches a schema',
  },
  agents: {
    ...{ ...routes.agents, kind: 'call', body: 'AgentRequest', answer: 'AgentAnswer' },
    summary: 'Run one agent turn: text or tool calls',
  },
  embeddings: {
    ...{ method: 'POST', path: embeddingsPath, kind: 'call' },
    ...{ body: 'EmbeddingsRequest', answer: 'EmbeddingsAnswer' },
    summary: 'Create an embedding of each text',
  },
  quote: {
    ...{ ...routes.quote, kind: 'ask', body: 'QuoteRequest', answer: 'QuoteAnswer' },
    ...{ status: 200, errors: 'Quote', isKeyed: false },
    summary:
      'Get the maximum cost of a call, and whether the budgets and the wallet cover it; reserves nothing',
  },
  createRun: {
    ...{ ...routes.createRun, kind: 'ask', body: 'RunRequest', answer: 'NewRunAnswer' },
    ...{ status: 201, errors: 'NewRun', isKeyed: true },
    summary: 'Create a run: a temporary key with its own budget and lifetime',
  },
  showRun: {
    ...{ ...routes.showRun, kind: 'report', answer: 'RunAnswer', errors: 'Run' },
    summary: "Get a run's spending; a run key can read only its own run",
  },
  endRun: {
    ...{ ...routes.endRun, kind: 'report', answer: 'RunAnswer', errors: 'Run' },
    summary: 'End a run: new calls are rejected, running calls continue',
  },
  usage: {
    ...{ ...routes.usage, kind: 'report', answer: 'UsageAnswer', errors: 'Read' },
    summary: "Get the app's budget and usage of the UTC day",
  },
  models: {
    ...{ ...routes.models, kind: 'report', answer: 'ModelsAnswer', errors: 'Read' },
    summary: 'List the models that the app is allowed to use',
  },
  credits: {
    ...{ ...routes.credits, kind: 'report', answer: 'CreditsAnswer', errors: 'Credits' },
    summary: "Get a user's wallet of the UTC month",
  },
  chatStream: {
    ...{ ...streaming, path: streamingPaths[0], body: 'ChatRequest', answer: 'ChatAnswer' },
    streamed: 'Stream text',
  },
  objectsStream: {
    ...{ ...streaming, path: streamingPaths[1], body: 'ObjectRequest', answer: 'ObjectAnswer' },
    streamed: 'Stream an object',
  },
  agentsStream: {
    ...{ ...streaming, path: streamingPaths[2], body: 'AgentRequest', answer: 'AgentAnswer' },
    streamed: 'Stream one agent turn',
  },
} as const satisfies Readonly<
  Record<keyof typeof routes | `${string}Stream` | 'embeddings', RouteRow>
>;

export type RouteName = keyof typeof routeRows;
