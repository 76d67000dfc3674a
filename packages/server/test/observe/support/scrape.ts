import type { Stack } from '../../support/stack.ts';

export interface Scrape {
  readonly names: readonly string[];
  /** The value of a series, as it is written: `name{label="value"}`. */
  value(series: string): number | undefined;
  /** Every series of a metric, with its labels. */
  seriesOf(name: string): readonly string[];
  /** Every value that a label has anywhere. */
  valuesOf(label: string): ReadonlySet<string>;
}

export async function scrape({ clock, service }: Stack): Promise<Scrape> {
  const page = service.monitor.pages['/metrics'];
  if (page === undefined) throw new Error('there is no page /metrics');
  const { text } = await clock.run(Promise.resolve(page()));
  return readScrape(text);
}

export function readScrape(text: string): Scrape {
  const lines = text.split('\n').filter((line) => line !== '');
  const names = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
  const series = new Map(
    lines
      .filter((line) => !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end), Number(line.slice(end + 1))] as const;
      }),
  );
  return {
    names,
    value: (of) => series.get(of),
    seriesOf: (name) => [...series.keys()].filter((of) => of.replace(/\{.*/, '') === name),
    valuesOf(label) {
      const matches = text.matchAll(new RegExp(`[{,]${label}="([^"]*)"`, 'g'));
      return new Set([...matches].map(([, value]) => value ?? ''));
    },
  };
}
