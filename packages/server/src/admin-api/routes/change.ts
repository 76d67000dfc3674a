import { AdminError } from '../../operations/context/admin-error.ts';
import {
  type AuditEntry,
  previewChange,
  runAudited,
} from '../../operations/context/audited-change.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';
import type { AdminContext } from '../../operations/context/context.ts';
import type { RouteContext } from './route.ts';

export interface Plan<Result> {
  readonly changes: readonly AuditEntry[];
  /** Null if only the change itself could determine it. */
  readonly result: Result | null;
}

export interface Change<Result> {
  readonly run: (admin: AdminContext) => Promise<Result>;
  /** Without it a dry run on the store shows the change. */
  readonly plan?: (admin: AdminContext) => Promise<Plan<Result>>;
}

interface ChangeBody {
  readonly dryRun?: boolean;
}

/** A dry run changes nothing. The response includes the audit log's lines. */
export async function answerChange<Result>(
  { admin }: Pick<RouteContext, 'admin'>,
  { dryRun = false }: ChangeBody,
  { run, plan }: Change<Result>,
) {
  if (dryRun) {
    const planned = plan
      ? await plan(admin)
      : { changes: await previewChange(admin, run), result: null };
    return { dryRun, ...planned };
  }
  const { result, lines } = await runAudited(admin, run);
  return { dryRun, changes: lines, result };
}

/** Throws INVALID unless the subject's name was typed again. */
export function requireConfirmed(confirm: string | undefined, subject: string): void {
  if (confirm === subject) return;
  throw invalid('confirm', `nothing was changed; confirm by sending ${JSON.stringify(subject)}`);
}

export function invalid(field: string, message: string): ConsoleError {
  return new ConsoleError('INVALID', `${field}: ${message}`, { field });
}

/** Adds the field to errors of an operator's function. */
export async function ofField<T>(field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AdminError && error.isBadValue) {
      throw invalid(error.field ?? field, error.message);
    }
    throw error;
  }
}
