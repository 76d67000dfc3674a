export const sharedGroup = 'shift';

/** They resemble keys of budgets, or parts of a query or of JSON. */
export function unusualUserIds(day: string): readonly string[] {
  const month = day.slice(0, 7);
  const keys = [`group:${sharedGroup}@${day}`, `group:${sharedGroup}@${month}`];
  return [
    ...keys,
    ...keys.flatMap((key) => [`"${key}`, `"${key}"`, `","${key}`, `\\"${key}`, `%${key}%`]),
    ...[`"group:${sharedGroup}`, `group:${sharedGroup}`, `["group:${sharedGroup}@`],
    ...[`app:early@${month}`, `user:odd:%@${day}`, `users:odd`, `run:odd:1`, `key:1@${day}`],
    ...['%', '_', '*', '?', '[a-z]', 'u%', 'u_', '\\', '\\\\', '"', '""', "'", "''", '`', ','],
    ...['@', '[]', '{}', 'null', 'all', '$1', '--', "';--", '__proto__', ' ', '\u00a0'],
    // Two lookalikes, marks without a letter, and invisible characters.
    ...['\u00e9', 'e\u0301', '\u0301', '\u2028', '\ufeff', '\u200b', '\u202e', '\uffff'],
    ...['\u{1f600}', '\u{10ffff}', '"'.repeat(128), '\u{1f600}'.repeat(128)],
  ];
}

/** The API rejects them, and counts nothing for them. */
export const refusedUserIds: readonly string[] = [
  ...['', '.', '..', '/', `"group:${sharedGroup}/`, '\0', '\n', '\u007f', '\u0085'],
  ...[`"group:${sharedGroup}`.padEnd(1_000, 'x'), '%'.repeat(129)],
];
