import Type from 'typebox';
import { requestTiers } from '../../domain/platform-kinds/kind-facts.ts';
import { OperatorPrice } from './calls.ts';
import type { Document } from './shapes.ts';
import { count, nullable, pageOf } from './shapes.ts';

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
  source: Type.Union([Type.String(), Type.Null()], { description: 'Source of its price' }),
  readOn: Type.Optional(
    Type.String({ description: 'UTC day on which its price was read from the source' }),
  ),
  retires: Type.Optional(
    Type.String({ description: 'First UTC day on which its vendor no longer serves it' }),
  ),
  isForTests: Type.Optional(
    Type.Literal(true, { description: 'Whether the simulator plays a failure or a special case' }),
  ),
  route: Type.Optional(
    Type.Array(Type.String(), { description: 'For an alias: its models in order' }),
  ),
} as const;

export const ModelDocument = Type.Object(model);
export type ModelDocument = Document<typeof ModelDocument>;

export const ModelDocuments = Type.Array(ModelDocument);

export const ModelsPage = pageOf(ModelDocument);
export type ModelsPage = Document<typeof ModelsPage>;

const modelFields = { id: Type.String(), platform: Type.String() } as const;

const retirement = Type.Object({ ...modelFields, retires: Type.String() });

/** Empty lists are missing, except for the first two. */
export const ModelsCheck = Type.Object({
  unpriced: Type.Array(
    Type.Object({
      ...modelFields,
      /** False: only apps' allow-lists name it, and it goes to the default platform. */
      ...{ listed: Type.Boolean(), apps: Type.Array(Type.String()) },
    }),
    { description: 'Callable models without a price' },
  ),
  withoutSource: Type.Array(Type.Object({ ...modelFields, price: nullable(OperatorPrice) })),
  streamsEstimated: Type.Optional(Type.Array(Type.Object(modelFields))),
  retired: Type.Optional(Type.Array(retirement)),
  retiring: Type.Optional(
    Type.Array(retirement, { description: 'Models that their vendor retires within 30 days' }),
  ),
  stale: Type.Optional(
    Type.Array(Type.Object({ ...modelFields, readOn: Type.String() }), {
      description: 'Models whose price was last read more than 180 days ago',
    }),
  ),
  mismatched: Type.Optional(
    Type.Array(
      Type.Object({
        ...modelFields,
        price: OperatorPrice,
        shipped: Type.Object({ price: OperatorPrice, source: Type.String() }),
      }),
      { description: 'Models of the file whose price differs from the built-in price' },
    ),
  ),
  withoutTier: Type.Optional(
    Type.Array(Type.Object({ ...modelFields, tier: Type.Enum([...requestTiers]) }), {
      description: 'Built-in models without a price in the tier of their platform',
    }),
  ),
});
export type ModelsCheck = Document<typeof ModelsCheck>;
