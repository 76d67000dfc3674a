import Type from 'typebox';
import { OperatorPrice } from './calls.ts';
import { count, type Document, nullable, pageOf } from './shapes.ts';

const model = {
  id: Type.String(),
  priced: Type.Boolean(),
  price: nullable(OperatorPrice),
  contextTokens: Type.Optional(count),
  maxOutputTokens: Type.Optional(count),
  operations: Type.Array(Type.Enum(['chat', 'objects', 'agents', 'embeddings'])),
  images: Type.Boolean(),
  streaming: Type.Optional(Type.Boolean()),
  platform: Type.String(),
  upstreamModel: Type.String(),
  source: Type.Union([Type.String(), Type.Null()], { description: 'Where its price was read' }),
  route: Type.Optional(
    Type.Array(Type.String(), { description: 'Of an alias: its models, in their order' }),
  ),
} as const;

/** A model of the catalog. */
export const ModelDocument = Type.Object(model);
export type ModelDocument = Document<typeof ModelDocument>;

/** `GET /models`: models by id, then aliases. */
export const ModelsPage = pageOf(ModelDocument);
export type ModelsPage = Document<typeof ModelsPage>;

const place = { id: Type.String(), platform: Type.String() } as const;

/** `GET /models/check`, as `models check` says it. */
export const ModelsCheck = Type.Object({
  unpriced: Type.Array(
    Type.Object({ ...place, listed: Type.Boolean(), apps: Type.Array(Type.String()) }),
    { description: 'Models that a call can be routed to, and that have no price' },
  ),
  withoutSource: Type.Array(Type.Object({ ...place, price: nullable(OperatorPrice) })),
  streamsEstimated: Type.Optional(Type.Array(Type.Object(place))),
});
export type ModelsCheck = Document<typeof ModelsCheck>;
