import { givesEmbeddings } from '../catalog/catalog.ts';
import type { Config } from '../domain/config.ts';
import { isBearerRead } from '../domain/ingress.ts';
import type { ApiFeatures } from '../ingress/exchange/offered.ts';
import type { Registry } from '../registry/registry.ts';
import type { Models } from './models.ts';

export function offeredBy(
  { aliases, streaming, ingress }: Config,
  registry: Pick<Registry, 'apps'>,
  { catalog }: Models,
): ApiFeatures {
  const isStreaming = streaming || registry.apps().some((app) => app.streaming === true);
  const hasAliases = aliases.length > 0;
  const readsBearer = isBearerRead(ingress);
  return { isStreaming, hasEmbeddings: givesEmbeddings(catalog), hasAliases, readsBearer };
}
