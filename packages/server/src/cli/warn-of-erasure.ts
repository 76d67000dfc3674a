import type { AdminContext } from '../operations/context.ts';
import { findErasures } from '../operations/users/erase-user.ts';
import type { CommandContext } from './context.ts';

/** Says of a user who was erased under which name what is kept of them is found. */
export async function warnOfErasure(
  context: CommandContext,
  admin: AdminContext,
  user: { readonly app: string | undefined; readonly userId: string },
): Promise<void> {
  for (const { app, pseudonym, askedAt, doneAt } of await findErasures(admin, user)) {
    const asked = new Date(askedAt).toISOString();
    const rest = doneAt === undefined ? '; what is not over has the name still' : '';
    context.warn(
      `This user of ${app} was erased on ${asked}: what is over stands under ${pseudonym}${rest}.`,
    );
  }
}
