import { isDefaultProject } from '../../domain/project-id.ts';
import type { Statement } from '../../store/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { AdminError } from '../admin-error.ts';
import type { AdminContext } from '../context.ts';

/**
 * Comes after the changes of a transaction, and lets nothing of them be written where an app's
 * project then has the name of another's. {@link changeRegistry} keeps all others out until then.
 */
export function ownName(context: AdminContext, app: string): Statement {
  return { sql: sql.checkOwnName, values: [app, context.company], abortIfNoRows: true };
}

/** The same for a binding whose id is that of another app's, on whichever platform. */
export function ownProject(app: string, projectId: string): Statement {
  return { sql: sql.checkOwnProject, values: [app, projectId], abortIfNoRows: true };
}

/** Throws an AdminError for the id or the name of a project that is shared. */
export function refuseDefault(idOrName: string | undefined) {
  if (idOrName === undefined || !isDefaultProject(idOrName)) return;
  throw new AdminError(
    `${JSON.stringify(idOrName)} is the project of every call that names none: use one of the app's own`,
    { isBadValue: true },
  );
}

/** What an operator reads whose wish would share a project. */
export function sharedError(what: string, owner: string | undefined): AdminError {
  const other = owner === undefined ? 'another app' : `the app ${owner}`;
  return new AdminError(
    `${what} is the project of ${other} already: each app has one of its own, or their calls could not be told apart on the bill`,
  );
}
