/** Limits of the wire format, which no configuration changes. */
export const bodyLimits = {
  modelCharactersMax: 128,
  userIdCharactersMax: 128,
  maxTokensMax: 1_000_000,
  stopSequencesMax: 8,
  toolsMax: 128,
  /** Texts of one request for embeddings, and the maximum length of each embedding. */
  embeddingTextsMax: 2_048,
  embeddingDimensionsMax: 8_192,
  messagesMax: 10_000,
  /** Per message of a user. */
  partsMax: 10_000,
  /** Per message of a model. */
  toolCallsMax: 1_000,
  carryBytesMax: 1_048_576,
  jsonDepthMax: 64,
  /** Per body. */
  jsonValuesMax: 200_000,
  /** Names of the fields of all objects of a body. */
  jsonNamesMax: 50_000,
  /** Per number: its sign, digits, point and exponent. No double needs more. */
  jsonNumberCharactersMax: 400,
  idempotencyKeyCharactersMax: 255,
  /** Per run. */
  runMsMin: 1_000,
  runMsMax: 86_400_000,
  runModelsMax: 128,
  runLabelCharactersMax: 128,
} as const;

/** Defaults of the `limits` section of the configuration. Source: specification, section 8. */
export const defaultLimits = {
  modelCallMs: 26_000,
  gatewayMs: 29_000,
  drainMs: 60_000,
  stopDelayMs: 0,
  stopMs: 25_000,
  bodyBytes: 4_194_304,
  bodyBytesInFlight: 268_435_456,
  inFlight: 2_000,
  idempotencyMs: 3_600_000,
} as const;

/** The client's defaults and limits. Source: specification, sections 4, 7 and 8. */
export const clientLimits = {
  timeoutMs: 120_000,
  maxAttempts: 3,
  retryAfterMsMax: 20_000,
  backoffBaseMs: 500,
  backoffCapMs: 20_000,
} as const;
