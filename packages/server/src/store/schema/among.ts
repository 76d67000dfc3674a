/** A condition to append to another one. Undefined: all apps. */
export function andAmong(
  apps: readonly string[] | undefined,
  valuesBefore: number,
  column: 'app' | 'customer_id' = 'app',
): string {
  if (apps === undefined) return '';
  if (apps.length === 0) return 'and 1 = 0';
  const values = apps.map((_, index) => `$${valuesBefore + index + 1}`);
  return `and ${column} in (${values.join(', ')})`;
}
