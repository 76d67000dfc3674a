import type { CallFields } from '@model-gateway/contract';
import type { Call } from '../../calls/model/call.ts';
import type { CallRunner } from '../../calls/run.ts';
import type { Shares } from '../../domain/shares.ts';
import type { Count } from '../../lib/count.ts';
import type { Answer } from '../exchange/answer.ts';
import type { Dialect, RequestHead } from '../exchange/dialect.ts';
import { caughtRefusal, limited } from '../exchange/refusal.ts';
import { createRelay, type RelayContext, type RelayParts } from './relay.ts';

export interface Streams {
  /** Rejects like its call. */
  answer<Request extends CallFields>(context: RequestContext, call: Call<Request>): Promise<Answer>;
  /** Includes streams without content yet. */
  count(): number;
}

export interface RequestContext extends Pick<RelayContext, 'log' | 'startedMs'> {
  readonly dialect: Dialect;
  readonly request: RequestHead;
}

export function createStreams(
  parts: RelayParts & {
    readonly runner: Pick<CallRunner, 'run'>;
    readonly shares: Shares;
    readonly counted: Pick<Count, 'own'>;
  },
): Streams {
  const { runner, shares, counted } = parts;
  return { answer, count: () => counted.own };

  async function answer<Request extends CallFields>(
    { dialect, request, log, startedMs }: RequestContext,
    call: Call<Request>,
  ): Promise<Answer> {
    const { name: app } = call.context.app;
    // Long streams must not take every permit from short calls, or from another app.
    if (shares.isFull(app) || !shares.take(app)) {
      return dialect.refuse(limited(log, 'streams'), request);
    }
    const leave = () => shares.leave(app);
    let isLive = false;
    try {
      const result = await runner.run(call);
      const { stream } = dialect;
      const { name: operation } = call.operation;
      if (result.kind === 'failed') {
        caughtRefusal(result.error, log);
        return dialect.refuse(result.error, request);
      }
      const withUsage = call.context.stream?.withUsage;
      if (result.kind !== 'live') return stream.whole(result, { operation, withUsage });
      isLive = true;
      const isKeyed = call.context.idempotencyKey !== undefined;
      const context = { operation, withUsage, log, startedMs, isKeyed };
      const relay = createRelay(parts, { live: result, dialect: stream, ...context });
      relay.whenEnded(leave);
      return { status: 200, body: '', headers: stream.headersOf(result), stream: relay };
    } finally {
      if (!isLive) leave();
    }
  }
}
