/** Messages contain this account, like the real ones. */
export const accountId = '111122223333';

export const arnPrefix = `arn:aws:bedrock-mantle:us-east-1:${accountId}`;

export interface PlatformErrorParts {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  /** Contains accounts and ARNs, like the real one: a gateway's clients must not see it. */
  readonly message: string;
  readonly param?: string;
}

/** Before any model runs; caught at the surface. */
export class PlatformError extends Error {
  readonly parts: PlatformErrorParts;
  constructor(parts: PlatformErrorParts) {
    super(parts.message);
    this.name = 'PlatformError';
    this.parts = parts;
  }
}

export function openaiErrorBody({ code, message, param, type }: PlatformErrorParts): string {
  return JSON.stringify({ error: { code, message, param: param ?? null, type } });
}

/** 400 */
export function invalid(message: string, param?: string, code = 'validation_error'): PlatformError {
  const parts = { status: 400, code, type: 'invalid_request_error', message };
  return new PlatformError(param === undefined ? parts : { ...parts, param });
}

/** 404 */
export function unknownModel(model: string): PlatformErrorParts {
  return {
    status: 404,
    code: 'model_not_found',
    type: 'not_found_error',
    message: `The model '${model}' does not exist or account ${accountId} has no access to it.`,
    param: 'model',
  };
}

/** 404; contains the ARN. */
export function unknownProject(projectId: string): PlatformError {
  return new PlatformError({
    status: 404,
    code: 'not_found_error',
    type: 'not_found_error',
    message: `Project '${arnPrefix}:project/${projectId}' was not found.`,
  });
}

/** 401: a missing or expired bearer. */
export const unauthorized: PlatformErrorParts = {
  status: 401,
  code: 'invalid_api_key',
  type: 'invalid_request_error',
  message: `The key of arn:aws:iam::${accountId}:role/gateway is not valid: Signature expired.`,
};
