import { wireOfOperation } from '../../../calls/model/operation.ts';
import type { CarryParts } from '../../../calls/model-operations/carry.ts';
import type { Catalog, CatalogModel } from '../../../catalog/catalog.ts';
import { isRecord } from '../../../lib/json-value.ts';
import { checkBounds } from '../../body/read-json.ts';
import type { ReportHandler } from '../../exchange/dialect.ts';
import type { Route } from '../../exchange/route-table.ts';
import { createRelayRoute, type RelayParts } from '../relay/parse-relay.ts';
import { type UsableModelsParts, usableModels } from '../usable-models.ts';
import { anthropic } from './anthropic.ts';
import { headersOf } from './betas.ts';
import { messageShape } from './message-shape.ts';
import { routeRows } from './route-rows.ts';

export type AnthropicRouteParts = UsableModelsParts &
  RelayParts & {
    readonly catalog: Pick<Catalog, 'alias'>;
    readonly portOf: CarryParts['portOf'];
  };

const wire = wireOfOperation.messages;

export function createAnthropicRoutes(parts: AnthropicRouteParts): readonly Route[] {
  const messages = createRelayRoute(parts, {
    ...{
      operation: 'messages',
      shape: messageShape,
      limit: 'max_tokens',
      userFields: [],
      headersOf,
    },
    schemaIn: ({ output_config, output_format }) =>
      (isRecord(output_config) ? output_config.format : undefined) ?? output_format,
  });
  return [
    { ...routeRows.messages, dialect: anthropic, ...messages },
    { ...routeRows.countTokens, dialect: anthropic, ...countTokens },
    { ...routeRows.models, dialect: anthropic, ...modelsRoute(parts) },
  ];
}

/**
 * A free estimate that clients request before a turn; never sent. Not parsed, but bounded as the
 * turn would be.
 */
const countTokens: ReportHandler = {
  kind: 'report',
  isForRun: () => true,
  async report(_app, _parameters, body = new Uint8Array(0)) {
    checkBounds(body);
    return { input_tokens: Math.ceil(body.byteLength / 4) };
  },
};

function modelsRoute(parts: AnthropicRouteParts): ReportHandler {
  const { catalog, portOf } = parts;
  const isSpoken = (model: CatalogModel) => portOf(model)?.wire === wire;
  const modelsOf = (id: string) => catalog.alias(id, wire)?.models ?? [catalog.model(id, wire)];
  return {
    kind: 'report',
    isForRun: () => true,
    async report(app) {
      const data = usableModels(app, parts)
        .filter(({ id }) => modelsOf(id).every(isSpoken))
        .map(({ id }) => ({ type: 'model', id, display_name: id, created_at: unknownDay }));
      return {
        data,
        has_more: false,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
      };
    },
  };
}

/** Unknown here, but the field is mandatory. */
const unknownDay = '1970-01-01T00:00:00Z';
