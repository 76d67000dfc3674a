/** The number of characters that a method passes, by its object, its arguments and its result. */
type Passed = (self: string, given: readonly unknown[], result: unknown) => number;

const one: Passed = () => 1;
const whole: Passed = (self) => self.length;
const searched: Passed = (self, [, from], result) => {
  const start = typeof from === 'number' ? Math.min(from, self.length) : 0;
  return (typeof result === 'number' && result >= 0 ? result : self.length) - start + 1;
};

/** Methods that read a text; `slice` copies nothing of a long one. */
const methods: Readonly<Record<string, Passed>> = {
  ...{ charCodeAt: one, codePointAt: one, charAt: one, startsWith: one, endsWith: one },
  ...{ slice: one, indexOf: searched, includes: whole, lastIndexOf: whole, split: whole },
  ...{ replace: whole, replaceAll: whole, trim: whole, trimEnd: whole, trimStart: whole },
  ...{ toLowerCase: whole, toUpperCase: whole, normalize: whole },
};

/**
 * The number of text characters that a run passes, one by one or by searching. Work with bytes and
 * regular expressions is not counted. It is a count, so it is the same on every machine.
 */
export async function stepsOf(run: () => unknown): Promise<number> {
  const prototype: object = String.prototype;
  let steps = 0;
  const restores = Object.entries(methods).map(([name, passed]) => {
    const method = Reflect.get(prototype, name);
    Reflect.set(prototype, name, function counted(this: unknown, ...given: unknown[]) {
      const result = Reflect.apply(method, this, given);
      steps += typeof this === 'string' ? passed(this, given, result) : 1;
      return result;
    });
    return () => Reflect.set(prototype, name, method);
  });
  try {
    await run();
  } finally {
    for (const restore of restores) restore();
  }
  return steps;
}
