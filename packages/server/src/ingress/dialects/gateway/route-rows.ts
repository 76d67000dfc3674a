import { embeddingsPath, routes, streamingPaths } from '@model-gateway/contract';
import type { RoutePattern } from '../../../lib/router.ts';

/** `openapi/components.ts` has a schema for each: the compiler compares. */
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
        /** An idempotency key makes repeats equal. */
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
  summary: 'Not available: every method is answered 501',
} as const;

/**
 * In the description's order: the one table for listener, metrics and OpenAPI. `routes.ts` has the
 * handlers.
 */
export const routeRows = {
  root: {
    ...routes.root,
    ...{ kind: 'open', summary: 'Which service this is', answers: { 200: 'RootAnswer' } },
  },
  health: {
    ...{ ...routes.health, kind: 'open', summary: 'Whether the process serves' },
    answers: { 200: 'HealthAnswer', 503: 'HealthAnswer' },
  },
  chat: {
    ...{ ...routes.chat, kind: 'call', summary: 'One answer of a model as text' },
    ...{ body: 'ChatRequest', answer: 'ChatAnswer' },
  },
  objects: {
    ...{ ...routes.objects, kind: 'call', body: 'ObjectRequest', answer: 'ObjectAnswer' },
    summary: 'One answer of a model as an object that fits a schema',
  },
  agents: {
    ...{ ...routes.agents, kind: 'call', body: 'AgentRequest', answer: 'AgentAnswer' },
    summary: 'One turn of an agent: text, or tools that it asks for',
  },
  embeddings: {
    ...{ method: 'POST', path: embeddingsPath, kind: 'call' },
    ...{ body: 'EmbeddingsRequest', answer: 'EmbeddingsAnswer' },
    summary: 'An embedding of each text',
  },
  quote: {
    ...{ ...routes.quote, kind: 'ask', body: 'QuoteRequest', answer: 'QuoteAnswer' },
    ...{ status: 200, errors: 'Quote', isKeyed: false },
    summary: 'What a call could cost, and whether there is the money for it: nothing is taken',
  },
  createRun: {
    ...{ ...routes.createRun, kind: 'ask', body: 'RunRequest', answer: 'NewRunAnswer' },
    ...{ status: 201, errors: 'NewRun', isKeyed: true },
    summary: 'A run: a key of its own, with a ceiling and a time of its own',
  },
  showRun: {
    ...{ ...routes.showRun, kind: 'report', answer: 'RunAnswer', errors: 'Run' },
    summary: 'What a run has spent; with its own key, it alone',
  },
  endRun: {
    ...{ ...routes.endRun, kind: 'report', answer: 'RunAnswer', errors: 'Run' },
    summary: 'Ends a run: no call of it is made any more, running ones go on',
  },
  usage: {
    ...{ ...routes.usage, kind: 'report', answer: 'UsageAnswer', errors: 'Read' },
    summary: "The app's budget and usage of the UTC day",
  },
  models: {
    ...{ ...routes.models, kind: 'report', answer: 'ModelsAnswer', errors: 'Read' },
    summary: 'The models that the app may use',
  },
  credits: {
    ...{ ...routes.credits, kind: 'report', answer: 'CreditsAnswer', errors: 'Credits' },
    summary: "A user's wallet of the UTC month",
  },
  chatStream: {
    ...{ ...streaming, path: streamingPaths[0], body: 'ChatRequest', answer: 'ChatAnswer' },
    streamed: 'One answer of a model as text, told as it comes',
  },
  objectsStream: {
    ...{ ...streaming, path: streamingPaths[1], body: 'ObjectRequest', answer: 'ObjectAnswer' },
    streamed: 'One answer of a model as an object, told as it comes',
  },
  agentsStream: {
    ...{ ...streaming, path: streamingPaths[2], body: 'AgentRequest', answer: 'AgentAnswer' },
    streamed: 'One turn of an agent, told as it comes',
  },
} as const satisfies Readonly<
  Record<keyof typeof routes | `${string}Stream` | 'embeddings', RouteRow>
>;

export type RouteName = keyof typeof routeRows;
