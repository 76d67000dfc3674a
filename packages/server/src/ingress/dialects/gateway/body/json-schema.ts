import type { JsonObject } from '@model-gateway/contract';
import type { App } from '../../../../domain/registered-app.ts';
import type { Crowded } from '../../../../json-schema/kept-schema.ts';
import type { CompiledSchema, Schemas } from '../../../../json-schema/schemas.ts';
import { joinPath } from '../../../../lib/explain.ts';
import { invalid } from '../../../body/parse.ts';
import { type GatewayRefusal, refused } from '../../../exchange/refusal.ts';

/**
 * Compiles a schema of the body at `path`; the app may have no time left for it. Throws INVALID
 * with the path of what is wrong in it.
 */
export async function compileSchema(
  schemas: Schemas,
  { app, schema, path }: { readonly app: App; readonly schema: JsonObject; readonly path: string },
): Promise<CompiledSchema | Crowded> {
  const compiled = await schemas.compile(app.name, schema);
  if (compiled.kind !== 'problem') return compiled;
  throw invalid(compiled.path === '' ? path : joinPath(path, compiled.path), compiled.text);
}

/** The refusal of an app whose costly schemas have had their time: nothing is wrong with them. */
export function crowded({ waitMs }: Crowded): GatewayRefusal {
  return refused('TOO_MANY_REQUESTS', waitMs / 1_000);
}
