/** Callers do not see a group's amounts: the crowd shows whether it was full. */
const withoutAmounts = /^Budget exceeded: the group \S+ has no room for this call in its /;

/**
 * Spent, held and needed must pass the cap. The sentence has the amounts in this order: cap, spent,
 * held, needed.
 */
export function isTrueRefusal(message: string): boolean {
  if (withoutAmounts.test(message)) return true;
  const amounts = [...message.matchAll(/\$(\d+)(?:\.(\d+))?/g)].map(([, whole, fraction]) =>
    BigInt(`${whole}${(fraction ?? '').padEnd(12, '0')}`),
  );
  const [cap, spent, held, needed] = amounts;
  if (cap === undefined || spent === undefined || held === undefined) return false;
  return needed !== undefined && spent + held + needed > cap;
}
