import Type from 'typebox';
import { count, type Document, nullable, pageOf } from './shapes.ts';

export const WebhookDocument = Type.Object({
  name: Type.String(),
  state: Type.Enum(['on', 'gone', 'left']),
  origin: nullable(Type.String()),
  format: nullable(Type.Enum(['standard', 'slack', 'teams'])),
  events: Type.Array(Type.String()),
  at: Type.Array(Type.Number()),
  apps: nullable(Type.Array(Type.String())),
  delivered: count,
  waiting: count,
  dead: count,
  lastError: nullable(Type.String()),
});
export type WebhookDocument = Document<typeof WebhookDocument>;

/** Includes removed webhooks that still have deliveries in the store. */
export const WebhookDocuments = Type.Array(WebhookDocument);

export const WebhooksPage = pageOf(WebhookDocument);
export type WebhooksPage = Document<typeof WebhooksPage>;

export const WebhookTestResult = Type.Object({
  hook: Type.String(),
  id: Type.String({ description: 'Event id that the receiver got with the test' }),
  isDelivered: Type.Boolean(),
  status: nullable(Type.Integer()),
  words: Type.String({ description: "Start of the receiver's response, at most 1 KB" }),
  error: nullable(Type.String()),
});
export type WebhookTestResult = Document<typeof WebhookTestResult>;
