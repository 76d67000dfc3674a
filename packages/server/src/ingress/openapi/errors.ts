import {
  type ApiErrorCode,
  apiErrors,
  errorActions,
  type GatewayErrorName,
  gatewayActions,
  gatewayErrors,
  type JsonObject,
  type JsonValue,
} from '@model-gateway/contract';

interface ErrorsOfStatus {
  readonly status: number;
  readonly codes: readonly ApiErrorCode[];
  readonly gateway: readonly GatewayErrorName[];
  readonly isOfModels: boolean;
}

export const allCodes: readonly ApiErrorCode[] = Object.keys(apiErrors).filter(isCode);
const allGateway: readonly GatewayErrorName[] = Object.keys(gatewayErrors).filter(isGatewayName);

/**
 * By status. `headers` are specific to the route. Without `isOfModels`, no error comes from a
 * model.
 */
export function errorResponses(
  codes: readonly ApiErrorCode[],
  headers: JsonObject = {},
  isOfModels = true,
): Readonly<Record<string, JsonObject>> {
  const statuses = new Set([
    ...codes.map((code) => apiErrors[code].status),
    ...allGateway.map((name) => gatewayErrors[name].status),
  ]);
  const responses = [...statuses]
    .toSorted((a, b) => a - b)
    .map((status) => {
      const errors = {
        status,
        codes: codes.filter((code) => apiErrors[code].status === status),
        gateway: allGateway.filter((name) => gatewayErrors[name].status === status),
        isOfModels,
      };
      return [String(status), response(errors, headers)] as const;
    });
  return Object.fromEntries(responses);
}

function response(errors: ErrorsOfStatus, headers: JsonObject): JsonObject {
  const lines = [
    ...errors.codes.map(lineOf),
    ...errors.gateway.map((name) => {
      const { message, when } = gatewayErrors[name];
      return `The gateway's "${message}": ${when}. ${sentence(gatewayActions[name])}`;
    }),
  ];
  return {
    description: lines.join('\n'),
    headers: {
      'x-request-id': { $ref: '#/components/headers/RequestId' },
      'retry-after': { $ref: '#/components/headers/RetryAfter' },
      'x-should-retry': { $ref: '#/components/headers/ShouldRetry' },
      ...headers,
      ...(errors.codes.includes('BUDGET_EXCEEDED') ? budgetScope : {}),
      ...(errors.codes.some((code) => rejections.includes(code)) ? errorReason : {}),
    },
    content: { 'application/json': { schema: schemaOf(errors) } },
  };
}

/** When the code occurs, what the caller does, and who pays. */
function lineOf(code: ApiErrorCode): string {
  const { action, whoPays } = errorActions[code];
  const payer = whoPays === undefined ? '' : ` Who pays: ${whoPays}.`;
  return `\`${code}\`: ${apiErrors[code].when}. ${sentence(action)}${payer}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const rejections: readonly ApiErrorCode[] = ['BAD_REQUEST', 'AUTH', 'SERVER'];

const errorReason = { 'x-error-reason': { $ref: '#/components/headers/ErrorReason' } } as const;

const budgetScope = { 'x-budget-scope': { $ref: '#/components/headers/BudgetScope' } } as const;

function schemaOf({ codes, gateway, isOfModels }: ErrorsOfStatus): JsonObject {
  const isOfModel = (code: ApiErrorCode) => isOfModels && apiErrors[code].from !== 'request';
  const ofModel = codes.filter(isOfModel);
  const ofRequest = codes.filter((code) => !isOfModel(code));
  const variants: JsonObject[] = [
    ...(ofRequest.length === 0 ? [] : [errorBody(ofRequest, false)]),
    ...(ofModel.length === 0 ? [] : [errorBody(ofModel, true)]),
    ...(gateway.length === 0 ? [] : [gatewayBody(gateway)]),
  ];
  const [only] = variants;
  return variants.length === 1 && only !== undefined ? only : { anyOf: variants };
}

export function errorBody(codes: readonly ApiErrorCode[], isOfModel: boolean): JsonObject {
  return {
    type: 'object',
    required: ['error'],
    properties: { error: errorSchema(codes, isOfModel) },
  };
}

function errorSchema(codes: readonly ApiErrorCode[], isOfModel: boolean): JsonObject {
  const fields: Record<string, JsonValue> = {
    code: { type: 'string', enum: [...codes] },
    message: { type: 'string', minLength: 1, description: 'For people; may change' },
  };
  if (!isOfModel) return { type: 'object', required: ['code', 'message'], properties: fields };
  const requestId = {
    type: 'string',
    description: 'Request id of the platform, if it was reached',
  };
  const model = { type: 'string', description: 'Model id that the caller sent' };
  return {
    type: 'object',
    required: ['code', 'message', 'model'],
    properties: { ...fields, requestId, model },
  };
}

function gatewayBody(names: readonly GatewayErrorName[]): JsonObject {
  const messages = names.map((name) => gatewayErrors[name].message);
  return {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string', enum: messages } },
  };
}

function isCode(name: string): name is ApiErrorCode {
  return Object.hasOwn(apiErrors, name);
}

function isGatewayName(name: string): name is GatewayErrorName {
  return Object.hasOwn(gatewayErrors, name);
}
