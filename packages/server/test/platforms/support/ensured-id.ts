import type { Projects } from '../../../src/platforms/billing/projects.ts';

/** The id of the project of a name, which is created if it is missing. */
export async function ensuredId(projects: Projects | undefined, name: string): Promise<string> {
  const ensured = (await projects?.ensure([{ name }]))?.get(name);
  if (ensured === undefined) throw new Error('the platform has no projects');
  if ('error' in ensured) throw ensured.error;
  return ensured.id;
}
