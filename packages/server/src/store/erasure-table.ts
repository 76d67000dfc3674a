import { table } from './table.ts';

/** A user whose name is forgotten. */
export interface UserErasure {
  readonly app: string;
  /** What stands in the place of the name. */
  readonly pseudonym: string;
  /** The name, while a part of it stays until its month is over. */
  readonly userId: string | undefined;
  /** The UTC month in which it was asked for: later ones are another matter. */
  readonly through: string;
  readonly askedAt: number;
  readonly doneAt: number | undefined;
}

/** Users whose names are forgotten. */
export const userErasures = table<UserErasure>('user_erasure', ['app', 'pseudonym'], (row, as) => ({
  app: as.text(row.app),
  pseudonym: as.text(row.pseudonym),
  userId: as.optionalText(row.userId),
  through: as.text(row.through),
  askedAt: as.int(row.askedAt),
  doneAt: as.optionalInt(row.doneAt),
}));
