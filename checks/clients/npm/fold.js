/** A message, with the next delta of its stream: texts grow, whatever their names are. */
export function fold(message, delta) {
  const folded = { ...message };
  for (const [name, value] of Object.entries(delta))
    folded[name] = joined(name, folded[name], value);
  return folded;
}

/** Fields that are not written piece by piece. */
const wholes = new Set(['id', 'type', 'role', 'name', 'index']);

function joined(name, before, value) {
  if (value === null || value === undefined) return before ?? value;
  if (before === null || before === undefined) {
    return Array.isArray(value) ? elements([], value) : value;
  }
  if (Array.isArray(value)) return elements(before, value);
  if (typeof value === 'object') return fold(before, value);
  return typeof value === 'string' && !wholes.has(name) ? before + value : value;
}

function elements(before, deltas) {
  const list = [...before];
  for (const { index = list.length, ...delta } of deltas)
    list[index] = fold(list[index] ?? {}, delta);
  return list;
}
