import type { TracedSettlement } from '../calls/model/call-trace.ts';
import type { AttemptRecord } from '../calls/model/generated.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { baseUrlOf } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import { formatUsd } from '../lib/money.ts';
import type { SpanAttributes, SpanRecord } from './span.ts';

type OwnSpan = Omit<SpanRecord, 'traceId' | 'parentId' | 'state'>;

/**
 * Over all attempts. Attributes follow OpenTelemetry's generative AI conventions. Cost has no
 * convention, so it uses a common name, plus exact text.
 */
export function modelSpan(
  settlement: TracedSettlement,
  platforms: PlatformAddresses,
  spanId: string,
): OwnSpan {
  const { generated, route, code } = settlement;
  const { attempts, last } = generated;
  const isEmbedding = route === 'embeddings';
  const operation = isEmbedding ? 'embeddings' : 'chat';
  const model = last.candidate.model.upstreamModel;
  const startedAt = attempts[0]?.startedAt ?? last.startedAt;
  return {
    ...{ name: `${operation} ${model}`, kind: 'client', spanId, startedAt },
    endedAt: Math.max(startedAt, last.startedAt + last.tookMs),
    isError: last.outcome.kind === 'failed',
    attributes: {
      'gen_ai.operation.name': operation,
      ...platforms.get(last.candidate.model.platform),
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': isEmbedding ? undefined : last.candidate.bound.outputTokens,
      'gen_ai.output.type': route === 'objects' ? 'json' : undefined,
      ...answerAttributes(last),
      ...(isEmbedding ? {} : finishAttributes(last)),
      ...costAttributes(settlement),
      'error.type': code === 'OK' ? undefined : code,
      'model_gateway.call.id': settlement.callId,
      'model_gateway.attempts': attempts.length,
    },
  };
}

export function attemptSpans(
  { generated: { attempts } }: TracedSettlement,
  platforms: PlatformAddresses,
  nextId: () => string,
): readonly OwnSpan[] {
  return attempts.map(({ outcome, startedAt, tookMs, candidate }, index) => ({
    ...({ name: `attempt ${index + 1}`, kind: 'client', spanId: nextId() } as const),
    ...{ startedAt, endedAt: startedAt + tookMs, isError: outcome.kind === 'failed' },
    attributes: {
      'http.request.method': 'POST',
      ...serverOf(platforms.get(candidate.model.platform)),
      'gen_ai.request.model': candidate.model.upstreamModel,
      'http.response.status_code': outcome.kind === 'failed' ? outcome.status : 200,
      'http.request.resend_count': index === 0 ? undefined : index,
      'error.type': outcome.kind === 'failed' ? outcome.code : undefined,
      'gen_ai.response.id': outcome.requestId,
    },
  }));
}

function serverOf(address: SpanAttributes = {}): SpanAttributes {
  const { 'server.address': host, 'server.port': port } = address;
  return { 'server.address': host, 'server.port': port };
}

function finishAttributes({ outcome }: AttemptRecord): SpanAttributes {
  return {
    'gen_ai.response.finish_reasons': outcome.kind === 'answered' ? [outcome.finish] : undefined,
  };
}

function answerAttributes({ outcome, tokens }: AttemptRecord): SpanAttributes {
  return {
    'gen_ai.response.id': outcome.requestId,
    'gen_ai.usage.input_tokens': tokens?.inputTokens,
    'gen_ai.usage.output_tokens': tokens?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': tokens?.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': tokens?.cacheWriteInputTokens,
    'gen_ai.usage.reasoning.output_tokens': tokens?.reasoningTokens,
  };
}

function costAttributes({ costPicoUsd, isEstimated }: TracedSettlement): SpanAttributes {
  const usd = formatUsd(costPicoUsd);
  return {
    'gen_ai.usage.cost': costNumber(Number(usd)),
    'model_gateway.cost.usd': usd,
    'model_gateway.cost.estimated': isEstimated,
  };
}

/**
 * Adds a tiny fraction to whole numbers: the exporter writes those as integers, and some stores fix
 * an attribute's type by its first value. The text is exact.
 */
function costNumber(usd: number): number | undefined {
  if (usd === 0) return undefined;
  return Number.isInteger(usd) ? usd * (1 + Number.EPSILON) : usd;
}

export type PlatformAddresses = ReadonlyMap<string, SpanAttributes>;

export function platformAddresses(configs: readonly PlatformConfig[]): PlatformAddresses {
  return new Map(configs.map((config) => [config.name, addressOf(config)]));
}

function addressOf(config: PlatformConfig): SpanAttributes {
  const provider = { 'gen_ai.provider.name': factsOf(config.kind).traceName ?? config.name };
  const url = baseUrlOf(config);
  if (url === undefined) return provider;
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    ...provider,
    'server.address': hostname,
    'server.port': port === '' ? usual : Number(port),
  };
}
