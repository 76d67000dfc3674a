import type { JsonObject } from '@model-gateway/contract';
import { ApiError } from '../../inference/api-error.ts';
import type { CompiledSchema, Schemas } from '../../inference/json-schema/schemas.ts';
import type { App } from '../../registry/app.ts';
import { joinPath } from './explain.ts';
import { invalid } from './parse.ts';

/** Compiles a schema of the body at `path`. Throws INVALID with the path of what is wrong in it. */
export async function compileSchema(
  schemas: Schemas,
  { app, schema, path }: { readonly app: App; readonly schema: JsonObject; readonly path: string },
): Promise<CompiledSchema> {
  const compiled = await schemas.compile(app.name, schema);
  if (compiled.kind === 'compiled') return compiled;
  if (compiled.kind === 'problem') {
    throw invalid(compiled.path === '' ? path : joinPath(path, compiled.path), compiled.text);
  }
  const message = `The gateway has too many costly schemas of the app ${app.name} to check; try again in a moment.`;
  throw new ApiError('INTERNAL', message, { retryAfterSeconds: 1 });
}
