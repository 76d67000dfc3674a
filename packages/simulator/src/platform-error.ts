/** The account that the simulator pretends to run in. Its messages name it, as the real ones do. */
export const accountId = '111122223333';

/** The start of every ARN, up to the resource. */
export const arnPrefix = `arn:aws:bedrock-mantle:us-east-1:${accountId}`;

/** An error as the platform words it: a status and the four fields of its body. */
export interface PlatformErrorParts {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  /** Names accounts and ARNs, like the real one: not for the eyes of a gateway's clients. */
  readonly message: string;
  readonly param?: string;
}

/** A request that the platform refuses before any model runs; caught at the surface. */
export class PlatformError extends Error {
  readonly parts: PlatformErrorParts;
  constructor(parts: PlatformErrorParts) {
    super(parts.message);
    this.name = 'PlatformError';
    this.parts = parts;
  }
}

/** The body of an error on the OpenAI surfaces and the Projects API. */
export function openaiErrorBody({ code, message, param, type }: PlatformErrorParts): string {
  return JSON.stringify({ error: { code, message, param: param ?? null, type } });
}

/** 400: the request is not one that the platform takes. */
export function invalid(message: string, param?: string, code = 'validation_error'): PlatformError {
  const parts = { status: 400, code, type: 'invalid_request_error', message };
  return new PlatformError(param === undefined ? parts : { ...parts, param });
}

/** 404: no such model in this region. */
export function unknownModel(model: string): PlatformErrorParts {
  return {
    status: 404,
    code: 'model_not_found',
    type: 'not_found_error',
    message: `The model '${model}' does not exist or account ${accountId} has no access to it.`,
    param: 'model',
  };
}

/** 404: no such project, named by its ARN. */
export function unknownProject(projectId: string): PlatformError {
  return new PlatformError({
    status: 404,
    code: 'not_found_error',
    type: 'not_found_error',
    message: `Project '${arnPrefix}:project/${projectId}' was not found.`,
  });
}

/** 401: the bearer is none, or has ended. */
export const unauthorized: PlatformErrorParts = {
  status: 401,
  code: 'invalid_api_key',
  type: 'invalid_request_error',
  message: `The key of arn:aws:iam::${accountId}:role/gateway is not valid: Signature expired.`,
};
