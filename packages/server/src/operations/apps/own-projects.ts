import { isDefaultProject } from '../../domain/project-id.ts';
import type { Statement } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';

/**
 * Must come after a transaction's changes: it blocks them where two apps' projects would share a
 * name. {@link changeRegistry} locks out others until then.
 */
export function ownName(context: AdminContext, app: string): Statement {
  return { sql: sql.checkOwnName, values: [app, context.company], abortIfNoRows: true };
}

/** Blocks changes where another app has the same project id, on any platform. */
export function ownProject(app: string, projectId: string): Statement {
  return { sql: sql.checkOwnProject, values: [app, projectId], abortIfNoRows: true };
}

/** Throws an AdminError for a shared project's id or name. */
export function refuseDefault(idOrName: string | undefined) {
  if (idOrName === undefined || !isDefaultProject(idOrName)) return;
  throw new AdminError(
    `${JSON.stringify(idOrName)} is the default project of calls without one; use a separate project for the app`,
    { isBadValue: true },
  );
}

export function sharedError(what: string, owner: string | undefined): AdminError {
  const other = owner === undefined ? 'another app' : `the app ${owner}`;
  return new AdminError(
    `${what} is already the project of ${other}; each app needs its own project so its costs can be identified on the bill`,
  );
}
