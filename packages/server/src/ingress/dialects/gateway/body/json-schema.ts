import type { JsonObject } from '@model-gateway/contract';
import type { App } from '../../../../domain/registered-app.ts';
import type { Crowded } from '../../../../json-schema/schema-entry.ts';
import type { CompiledSchema, Schemas } from '../../../../json-schema/schemas.ts';
import { joinPath } from '../../../../lib/explain.ts';
import { invalid } from '../../../body/parse.ts';
import { type GatewayRefusal, refused } from '../../../exchange/refusal.ts';

/** Throws if the app used up its compile time, and INVALID with the path of the fault. */
export async function compileSchema(
  schemas: Schemas,
  { app, schema, path }: { readonly app: App; readonly schema: JsonObject; readonly path: string },
): Promise<CompiledSchema | Crowded> {
  const compiled = await schemas.compile(app.name, schema);
  if (compiled.kind !== 'problem') return compiled;
  throw invalid(compiled.path === '' ? path : joinPath(path, compiled.path), compiled.text);
}

/** The app's costly schemas used up their time; the schema is valid. */
export function crowded({ waitMs }: Crowded): GatewayRefusal {
  return refused('TOO_MANY_REQUESTS', waitMs / 1_000);
}
