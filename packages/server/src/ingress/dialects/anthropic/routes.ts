import { wireOfOperation } from '../../../calls/model/operation.ts';
import type { CarryParts } from '../../../calls/model-operations/carry.ts';
import type { Catalog, CatalogModel } from '../../../catalog/catalog.ts';
import type { IngressConfig } from '../../../domain/ingress.ts';
import { isRecord } from '../../../lib/json-value.ts';
import { invalid } from '../../body/parse.ts';
import { checkBounds } from '../../body/read-json.ts';
import type { ReportHandler, RequestHead } from '../../exchange/dialect.ts';
import type { Route } from '../../exchange/route-table.ts';
import { createRelayRoute, type RelayParts, type SentHeaders } from '../relay/parse-relay.ts';
import { type UsableModelsParts, usableModels } from '../usable-models.ts';
import { anthropic } from './anthropic.ts';
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
  const isSupported = (model: CatalogModel) => portOf(model)?.wire === wire;
  const modelsOf = (id: string) => catalog.alias(id, wire)?.models ?? [catalog.model(id, wire)];
  return {
    kind: 'report',
    isForRun: () => true,
    async report(app) {
      const data = usableModels(app, parts)
        .filter(({ id }) => modelsOf(id).every(isSupported))
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

const header = 'anthropic-beta';
const versionHeader = 'anthropic-version';

const versions = ['2023-06-01', '2026-10-21'];

/** They change no price. From what @anthropic-ai/sdk and Claude Code send. */
const neutral: ReadonlySet<string> = new Set([
  ...['claude-code-20250219', 'interleaved-thinking-2025-05-14', 'effort-2025-11-24'],
  ...['context-management-2025-06-27', 'prompt-caching-scope-2026-01-05'],
  ...['prompt-caching-2024-07-31', 'extended-cache-ttl-2025-04-11', 'advanced-tool-use-2025-11-20'],
  ...['mid-conversation-system-2026-04-07', 'mid-conversation-system-clear-at-2026-08-21'],
  ...['structured-outputs-2025-11-13', 'structured-outputs-2025-12-15', 'task-budgets-2026-03-13'],
  ...['fine-grained-tool-streaming-2025-05-14', 'token-efficient-tools-2025-02-19'],
  ...['output-128k-2025-02-19', 'output-300k-2026-03-24', 'dev-full-thinking-2025-05-14'],
  ...['model-context-window-exceeded-2025-08-26', 'redact-thinking-2026-02-12'],
  ...['thinking-token-count-2026-05-13', 'thinking-display-updates-2026-08-18'],
  ...['mid-conversation-tool-changes-2026-07-01', 'per-turn-control-2026-07-01'],
  ...['pdfs-2024-09-25', 'search-results-2025-06-09', 'tool-examples-2025-10-29'],
  ...['computer-use-2024-10-22', 'max-tokens-3-5-sonnet-2024-07-15'],
  ...['computer-use-2025-01-24', 'computer-use-2025-11-24', 'token-counting-2024-11-01'],
]);

/** Free by themselves; some clients always send them. */
const strippable = /^(context-1m|fast|server-side-fallback|fallback-credit|oauth)-/;
const longContext = /^context-1m-/;

/**
 * Drops unknown flags: clients add them often, and only fields cost. Throws INVALID for a version.
 */
function headersOf(head: RequestHead, { unknownFields }: IngressConfig): SentHeaders {
  const version = head.header(versionHeader) ?? versions[0] ?? '';
  if (!versions.includes(version) && unknownFields === 'refuse') {
    throw invalid(versionHeader, `must be ${versions.join(' or ')}`);
  }
  const sent = versions.includes(version) ? { [versionHeader]: version } : {};
  const flags = (head.header(header) ?? '').split(',').map((flag) => flag.trim());
  const isKnown = (flag: string) => flag === '' || neutral.has(flag) || strippable.test(flag);
  return {
    dropped: flags.filter((flag) => !isKnown(flag)).map((flag) => `${header}.${flag}`),
    headersFor({ price }) {
      const isLong = price?.steps !== undefined;
      const forwarded = flags.filter(
        (flag) => neutral.has(flag) || (isLong && longContext.test(flag)),
      );
      return forwarded.length === 0 ? sent : { ...sent, [header]: forwarded.join(',') };
    },
  };
}
