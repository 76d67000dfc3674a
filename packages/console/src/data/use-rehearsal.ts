import { useEffect, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import type { Common, Wanted } from './operations.ts';
import type { InTurn } from './use-in-turn.ts';

const afterMs = 400;

interface Rehearsable<Done> {
  readonly fields: readonly Wanted[];
  readonly confirm: string | undefined;
  readonly isReady: boolean;
  readonly send: (said: {
    readonly values: Readonly<Record<string, string>>;
    readonly common: Common;
  }) => Promise<Done>;
}

/**
 * Runs shortly after the last keystroke; undefined while a field is missing. A dry run needs no
 * reason.
 */
export function useRehearsal<Done>(
  change: Rehearsable<Done>,
  values: Readonly<Record<string, string>>,
  inTurn: InTurn,
): Done | Failure | undefined {
  const { fields, confirm, isReady, send } = change;
  const [said, setSaid] = useState<Done | Failure>();
  const isWhole = fields.every(
    ({ name, isOptional, options }) => isOptional || options || values[name] !== '',
  );
  const isAsked = isWhole && isReady;
  useEffect(() => {
    if (!isAsked) return undefined;
    let isOver = false;
    const timer = setTimeout(async () => {
      const common = { reason: 'preview', dryRun: true, ...(confirm && { confirm }) } as const;
      const answer = await inTurn(async () =>
        isOver ? undefined : send({ values, common }).catch(failureOf),
      );
      if (!isOver) setSaid(answer);
    }, afterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [JSON.stringify(values), isAsked]);
  return isAsked ? said : undefined;
}

export function isFailure(answer: unknown): answer is Failure {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'status' in answer;
}
