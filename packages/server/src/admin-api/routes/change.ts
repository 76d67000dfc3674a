import { AdminError } from '../../operations/admin-error.ts';
import { ConsoleError } from '../../operations/console-error.ts';
import type { AdminContext } from '../../operations/context.ts';
import { type NotedLine, noteChange, rehearse } from '../../operations/noted-change.ts';
import type { Asked } from '../route.ts';

/** What a dry run answers. */
export interface Plan<Result> {
  readonly changes: readonly NotedLine[];
  /** Null where only doing it could say. */
  readonly result: Result | null;
}

/** How something is changed. */
export interface Change<Result> {
  readonly make: (admin: AdminContext) => Promise<Result>;
  /** What it would do; without it the change is rehearsed on the store. */
  readonly plan?: (admin: AdminContext) => Promise<Plan<Result>>;
}

/** The body of every change. */
interface ChangeBody {
  readonly dryRun?: boolean;
}

/** Makes a change, or says what it would do, and answers which lines of the audit log say so. */
export async function answerChange<Result>(
  { admin }: Pick<Asked, 'admin'>,
  { dryRun = false }: ChangeBody,
  { make, plan }: Change<Result>,
) {
  if (dryRun) {
    const planned = plan
      ? await plan(admin)
      : { changes: await rehearse(admin, make), result: null };
    return { dryRun, ...planned };
  }
  const { result, lines } = await noteChange(admin, make);
  return { dryRun, changes: lines, result };
}

/** Throws INVALID unless the name of what is changed was typed once more. */
export function requireConfirmed(confirm: string | undefined, subject: string): void {
  if (confirm === subject) return;
  throw invalid('confirm', `type ${JSON.stringify(subject)} to do this: nothing was changed`);
}

/** What is answered of a value that is none. */
export function invalid(field: string, message: string): ConsoleError {
  return new ConsoleError('INVALID', `${field}: ${message}`, { field });
}

/** Says which field it is that an operator's function takes no value of. */
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
