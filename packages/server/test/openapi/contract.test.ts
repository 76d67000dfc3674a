import type {
  AgentAnswer,
  AgentRequest,
  ChatAnswer,
  ChatRequest,
  CreditsAnswer,
  EmbeddingsAnswer,
  EmbeddingsRequest,
  HealthAnswer,
  JsonObject,
  ModelsAnswer,
  NewRunAnswer,
  ObjectAnswer,
  ObjectRequest,
  RootAnswer,
  RunAnswer,
  RunRequest,
  UsageAnswer,
} from '@model-gateway/contract';
import type { Static, TSchema } from 'typebox';
import { expect, test } from 'vitest';
import type { namedSchemas } from '../../src/ingress/openapi/components.ts';

/**
 * A validator's type has no `readonly`; the contract's has it everywhere. JSON is unchanged.
 * Optional fields may be undefined in the contract, which no body can contain.
 */
type Frozen<T> = [JsonObject] extends [T]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<Exclude<T[Key], undefined>> }
    : T;

/** Only `true` where a validator and a type of the contract have the same values. */
type Same<Schema extends TSchema, Value> = [Frozen<Static<Schema>>] extends [Frozen<Value>]
  ? [Frozen<Value>] extends [Frozen<Static<Schema>>]
    ? true
    : 'the contract allows what the description does not'
  : 'the description allows what the contract does not';

type Schemas = typeof namedSchemas;

/** Compiled, not run: a change of only one of the two does not type-check. */
interface Pins {
  readonly ChatRequest: Same<Schemas['ChatRequest'], ChatRequest>;
  readonly ObjectRequest: Same<Schemas['ObjectRequest'], ObjectRequest>;
  readonly EmbeddingsRequest: Same<Schemas['EmbeddingsRequest'], EmbeddingsRequest>;
  readonly AgentRequest: Same<Schemas['AgentRequest'], AgentRequest>;
  readonly ChatAnswer: Same<Schemas['ChatAnswer'], ChatAnswer>;
  readonly ObjectAnswer: Same<Schemas['ObjectAnswer'], ObjectAnswer>;
  readonly EmbeddingsAnswer: Same<Schemas['EmbeddingsAnswer'], EmbeddingsAnswer>;
  readonly AgentAnswer: Same<Schemas['AgentAnswer'], AgentAnswer>;
  readonly UsageAnswer: Same<Schemas['UsageAnswer'], UsageAnswer>;
  readonly ModelsAnswer: Same<Schemas['ModelsAnswer'], ModelsAnswer>;
  readonly CreditsAnswer: Same<Schemas['CreditsAnswer'], CreditsAnswer>;
  readonly RunRequest: Same<Schemas['RunRequest'], RunRequest>;
  readonly NewRunAnswer: Same<Schemas['NewRunAnswer'], NewRunAnswer>;
  readonly RunAnswer: Same<Schemas['RunAnswer'], RunAnswer>;
  readonly RootAnswer: Same<Schemas['RootAnswer'], RootAnswer>;
  readonly HealthAnswer: Same<Schemas['HealthAnswer'], HealthAnswer>;
}

const pins: Pins = {
  ChatRequest: true,
  ObjectRequest: true,
  EmbeddingsRequest: true,
  AgentRequest: true,
  ChatAnswer: true,
  ObjectAnswer: true,
  EmbeddingsAnswer: true,
  AgentAnswer: true,
  UsageAnswer: true,
  ModelsAnswer: true,
  CreditsAnswer: true,
  RunRequest: true,
  NewRunAnswer: true,
  RunAnswer: true,
  RootAnswer: true,
  HealthAnswer: true,
};

test('the compiler pins every body of the contract to its description', () => {
  expect(Object.values(pins).every((isSame) => isSame === true)).toBe(true);
});
