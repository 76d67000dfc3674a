interface Sides {
  readonly before: string | null;
  readonly after: string | null;
}

export function Diff({ before, after }: Sides) {
  const fields = changedFields(before, after);
  if (fields === undefined) return <Pair before={before} after={after} />;
  return (
    <dl class="diff">
      {fields.map(([name, was, is]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Pair before={was} after={is} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Pair({ before, after }: Sides) {
  return (
    <>
      {before !== null && <del>{before}</del>}
      {before !== null && after !== null && <span aria-hidden="true"> → </span>}
      {after !== null && <ins>{after}</ins>}
      {before === null && after === null && '–'}
    </>
  );
}

type Changed = readonly [name: string, before: string | null, after: string | null];

/** Undefined unless both sides are JSON objects. */
export function changedFields(
  before: string | null,
  after: string | null,
): readonly Changed[] | undefined {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  if (was === undefined || is === undefined) return undefined;
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const [from, to] = [was.get(name) ?? null, is.get(name) ?? null];
    return from === to ? [] : [[name, from, to] as const];
  });
}

function fieldsOf(text: string | null): ReadonlyMap<string, string> | undefined {
  if (text === null) return new Map();
  if (!text.startsWith('{')) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== 'object' || document === null) return undefined;
    return new Map(Object.entries(document).map(([name, value]) => [name, textOf(value)]));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
