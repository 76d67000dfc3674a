import { useEffect, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import type { Common, FormField } from './operations.ts';
import type { InTurn } from './use-in-turn.ts';

const afterMs = 400;

interface Previewable<Done> {
  readonly fields: readonly FormField[];
  readonly confirm: string | undefined;
  readonly isReady: boolean;
  readonly send: (request: {
    readonly values: Readonly<Record<string, string>>;
    readonly common: Common;
  }) => Promise<Done>;
}

/**
 * Runs shortly after the last keystroke; undefined while a field is missing. A dry run needs no
 * reason.
 */
export function usePreview<Done>(
  change: Previewable<Done>,
  values: Readonly<Record<string, string>>,
  inTurn: InTurn,
): Done | Failure | undefined {
  const { fields, confirm, isReady, send } = change;
  const [preview, setPreview] = useState<Done | Failure>();
  const isWhole = fields.every(
    ({ name, isOptional, options }) => isOptional || options || values[name] !== '',
  );
  const canPreview = isWhole && isReady;
  useEffect(() => {
    if (!canPreview) return undefined;
    let isOver = false;
    const timer = setTimeout(async () => {
      const common = { reason: 'preview', dryRun: true, ...(confirm && { confirm }) } as const;
      const answer = await inTurn(async () =>
        isOver ? undefined : send({ values, common }).catch(failureOf),
      );
      if (!isOver) setPreview(answer);
    }, afterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [JSON.stringify(values), canPreview]);
  return canPreview ? preview : undefined;
}

export function isFailure(answer: unknown): answer is Failure {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'status' in answer;
}
