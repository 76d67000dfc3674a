import type { AdminContext } from '../operations/context.ts';
import { erasureLines } from '../operations/users/erase-user.ts';
import type { CommandContext } from './context.ts';

/** Says of a user who was erased under which name what is kept of them is found. */
export async function warnOfErasure(
  context: CommandContext,
  admin: AdminContext,
  user: { readonly app: string | undefined; readonly userId: string },
): Promise<void> {
  for (const line of await erasureLines(admin, user)) context.warn(line);
}
