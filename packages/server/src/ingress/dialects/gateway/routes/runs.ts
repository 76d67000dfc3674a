import {
  headerNames,
  type NewRunAnswer,
  type RunAnswer,
  type RunState,
} from '@model-gateway/contract';
import { CallError } from '../../../../calls/model/call-error.ts';
import type { RunOutcome, Runs } from '../../../../calls/runs/runs.ts';
import type { App } from '../../../../domain/registered-app.ts';
import type { Run } from '../../../../domain/run.ts';
import { formatUsd, larger, parseUsd } from '../../../../lib/money.ts';
import { listedNames } from '../../../../lib/nearest.ts';
import { createParser, invalid } from '../../../body/parse.ts';
import type { JsonHandler, ReportHandler } from '../../../exchange/dialect.ts';
import { refused } from '../../../exchange/refusal.ts';
import { pathParameter } from '../../path-parameter.ts';
import { runBody } from '../body/run-body.ts';

const fullSeconds = 60;

export function createRunRoutes(runs: Runs): {
  readonly createRun: JsonHandler;
  readonly showRun: ReportHandler;
  readonly endRun: ReportHandler;
} {
  const parse = createParser(runBody);
  return {
    createRun: {
      kind: 'ask',
      async answer({ text }, { app, keyId, idempotencyKey }, request) {
        const { maxCostUsd, expiresInMs, models, userId, label } = parse(text);
        const maxCostPicoUsd = parseUsd(maxCostUsd);
        if (maxCostPicoUsd === undefined) throw invalid('maxCostUsd', 'is not a valid amount');
        checkModels(app, models);
        const apiKey = request.header(headerNames.apiKey);
        const repetition = apiKey && idempotencyKey && { apiKey, keyHash: idempotencyKey.keyHash };
        const requested = { maxCostPicoUsd, models, userId, label, expiresInMs };
        const by = { app: app.name, parentKeyId: keyId, repetition: repetition || undefined };
        const result = await runs.make({ ...by, ...requested });
        if (result.kind === 'full') return refused('TOO_MANY_REQUESTS', fullSeconds);
        if (result.kind === 'older') throw olderInstances(result.instances);
        if (result.kind === 'other') throw new CallError('INVALID', otherRun);
        return { kind: 'told', status: 201, ...(await createdReport(result)) };
      },
    },
    showRun: {
      kind: 'report',
      isForRun: (run, [id]) => id === run.id,
      report: (app, [id]) => reportRun(app, id, runs.show),
    },
    endRun: { kind: 'report', report: (app, [id]) => reportRun(app, id, runs.end) },
  };

  async function createdReport({ kind, run, key }: NewRun) {
    if (kind === 'made') return { report: newAnswer(run, nothing, key) };
    return { report: newAnswer(run, await runs.spendOf(run), key), isReplayed: true } as const;
  }

  async function reportRun(
    app: App,
    sent: string | undefined,
    find: Runs['show'],
  ): Promise<RunAnswer> {
    const id = pathParameter(sent);
    const run = await find(app.name, id);
    if (run === undefined) throw noRun(app, id);
    const { endedAtMs, models, userId, label } = run;
    return {
      ...stateOf(run, await runs.spendOf(run)),
      endedAt: endedAtMs === undefined ? null : instant(endedAtMs),
      ...(models && { models }),
      ...(userId !== undefined && { userId }),
      ...(label !== undefined && { label }),
    };
  }
}

const nothing = { spent: 0n, held: 0n };

type NewRun = Extract<RunOutcome, { readonly key: string }>;

function newAnswer(run: Run, spend: typeof nothing, key: string): NewRunAnswer {
  const { endedAtMs } = run;
  const ended = endedAtMs === undefined ? {} : { endedAt: instant(endedAtMs) };
  return { ...stateOf(run, spend), ...ended, key };
}

const otherRun =
  'The idempotency-key was used for another run or with another API key; use a new idempotency-key for each run.';

function stateOf(
  { id, maxCostPicoUsd, expiresAtMs }: Run,
  { spent, held }: typeof nothing,
): RunState {
  return {
    runId: id,
    maxCostUsd: formatUsd(maxCostPicoUsd),
    spentUsd: formatUsd(spent),
    heldUsd: formatUsd(held),
    remainingUsd: formatUsd(larger(maxCostPicoUsd - spent - held, 0n)),
    expiresAt: instant(expiresAtMs),
  };
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}

function checkModels(app: App, models: readonly string[] = []): void {
  for (const [index, model] of models.entries()) {
    if (app.models === undefined || app.models.has(model)) continue;
    const text = `is ${JSON.stringify(model)}, which the app ${app.name} is not allowed to use; use a model from GET /v1/models`;
    throw invalid(`models[${index}]`, text);
  }
}

function noRun({ name }: App, id: string): CallError {
  const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id;
  return new CallError('NOT_FOUND', `The app ${name} has no run ${shown}.`);
}

/** During a mixed rollout an old instance would ignore the run budget. */
function olderInstances(instances: readonly string[]): CallError {
  const cause = `runs cannot be created while instances of an older version are running: ${listedNames(instances)}`;
  const message = 'Runs cannot be created during an upgrade of the service; try again in a moment.';
  return new CallError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}
