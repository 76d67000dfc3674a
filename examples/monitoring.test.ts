import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadRoutes } from '../packages/server/src/admin-api/routes.ts';
import { defaultAdmin } from '../packages/server/src/config/limits.ts';
import { deprecatedNames } from '../packages/server/src/observe/deprecated-names.ts';
import { type Scrape, scrape } from '../packages/server/test/observe/support/scrape.ts';
import { chatOf, meetChat } from '../packages/server/test/support/exchange.ts';
import { heldProcessor } from '../packages/server/test/support/processor.ts';
import { defaultYaml, openStack, type Stack } from '../packages/server/test/support/stack.ts';
import {
  codeBlocks,
  readRepositoryFile,
  sectionOf,
  tableRows,
  withoutQuotes,
} from './testing/markdown.ts';

const routes = await loadRoutes();

const document = readRepositoryFile('docs/monitoring.md');

/** A webhook has metrics; its target may be unavailable. */
const webhook =
  'notify: [{ name: ops, format: slack, url: "http://127.0.0.1:9/", allowPrivate: true }]';

const json = { 'content-type': 'application/json' };
const otherTier = JSON.stringify({
  choices: [{ index: 0, message: { content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2 },
  service_tier: 'priority',
});

let stack: Stack;
let seen: Scrape;
beforeAll(async () => {
  const budgets = 'budgets: [{ name: lab, apps: all, dailyUsd: "100" }]';
  const bounded = '  - { name: bounded, ratePerSecond: 1 }';
  stack = await openStack({
    yaml: `${defaultYaml}${bounded}\nstreaming: true\n${budgets}\n${webhook}`,
    // Work whose time counts.
    processor: (clock) => heldProcessor(clock, { pieceMs: 20 }),
    // A response in another tier than the priced one.
    script: ({ request }) =>
      request.model === 'sim-cached'
        ? { kind: 'raw', status: 200, headers: json, body: otherTier }
        : undefined,
  });
  const models = ['sim-echo', 'sim-flaky', 'sim-timeout', 'sim-unpriced', 'sim-cached'];
  for (const model of [...models, 'sim-denied']) await meetChat(stack, 'search', model);
  for (const model of ['sim-echo', 'sim-echo']) await meetChat(stack, 'bounded', model);
  const stream = await stack.post('search', '/v1/chat/stream', chatOf('sim-echo'));
  await stack.clock.run(stream.text());
  stack.service.monitor.watchProcess();
  await stack.clock.advance(60_000);
  seen = await scrape(stack);
});
afterAll(() => stack.close());

/** The names of our metrics in an expression of Prometheus, as they are registered. */
function namesIn(text: string): readonly string[] {
  const metrics = text.match(/\b(model_gateway|process|nodejs)_\w+/g) ?? [];
  return metrics.map((name) =>
    seen.names.includes(name) ? name : name.replace(/_(bucket|sum|count)$/, ''),
  );
}

/** The names that prom-client does not have by default. */
function ownNames(): readonly string[] {
  return seen.names.filter((name) => name.startsWith('model_gateway_'));
}

function labelsOf(name: string): ReadonlySet<string> {
  const series = [...seen.seriesOf(name), ...seen.seriesOf(`${name}_bucket`)];
  return new Set(
    series.flatMap((of) => [...of.matchAll(/[{,](\w+)="/g)].map(([, label]) => label ?? '')),
  );
}

/** The names that a cell of a table quotes. */
function quotedIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** Labels that Prometheus adds. */
const ofPrometheus = ['instance', 'job'];

function expectRegistered(expression: string) {
  for (const name of namesIn(expression)) expect(seen.names, expression).toContain(name);
  for (const [, name = '', matchers = ''] of expression.matchAll(/(\w+)\{([^}]*)\}/g)) {
    const [registered = ''] = namesIn(name);
    if (registered === '') continue;
    const validLabels = [...labelsOf(registered), ...ofPrometheus];
    for (const [, label] of matchers.matchAll(/(\w+)=~?"/g))
      expect(validLabels, expression).toContain(label);
  }
  const grouped = [...expression.matchAll(/by \(([^)]*)\) \((?=(.*))/g)];
  for (const [, labels = '', rest = ''] of grouped) {
    const [name = ''] = namesIn(rest);
    const validLabels = [...labelsOf(name), ...ofPrometheus];
    for (const label of labels.split(', ')) expect(validLabels, expression).toContain(label);
  }
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

/** Every text below a key of this name. */
function valuesOf(key: string, value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([name, part]) =>
      name === key ? [String(part)] : [...valuesOf(key, part)],
    ),
  );
}

describe('docs/alerts.yml', () => {
  const rules: { groups: { rules: Rule[] }[] } = parse(readRepositoryFile('docs/alerts.yml'));
  const alerts = rules.groups.flatMap((group) => group.rules);

  test('has a row in the document for each rule', () => {
    const section = sectionOf(document, 'Prometheus, Grafana and alerts');
    const shown = tableRows(section).flatMap(([alert = '']) => quotedIn(alert));
    expect(alerts.map(({ alert }) => alert)).toEqual(shown);
  });

  test.each(alerts)('$alert uses existing metrics and labels', ({ expr, annotations }) => {
    if (expr !== 'up{job="model-gateway"} == 0') expect(namesIn(expr)).not.toEqual([]);
    expectRegistered(expr);
    expect(annotations.summary).toMatch(/^\S.*\S$/);
  });

  // `increase()` of a series that has just appeared is 0. `check:standards` plays each rule.
  test.each(alerts.filter(({ expr }) => expr.includes('increase(')))(
    '$alert fires at the first event after startup',
    ({ expr }) => {
      const [, series = '', range = ''] = /increase\((\S+)\[(\w+)\]\) > 0/.exec(expr) ?? [];
      expect(expr).toContain(`or (${series} > 0 unless ${series} offset ${range})`);
    },
  );

  test('has a test for each rule that Prometheus itself runs', () => {
    const file = parse(readRepositoryFile('checks/standards/alerts.test.yml'));
    const played = valuesOf('alertname', file);
    expect([...played].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });
});

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
}

describe('docs/grafana-dashboard.json', () => {
  const dashboard: Dashboard = JSON.parse(readRepositoryFile('docs/grafana-dashboard.json'));
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  test.each(panels)('$title uses existing metrics and labels', ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) {
      expect(namesIn(expr)).not.toEqual([]);
      expectRegistered(expr);
    }
  });

  test('shows the installation that its variable `job` names', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toContain('job');
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    for (const expr of expressions) {
      expect(expr.match(/\b(?:model_gateway|process|nodejs)_\w+/g)?.length).toBe(
        expr.match(/\b(?:model_gateway|process|nodejs)_\w+\{job=~"\$job"/g)?.length,
      );
    }
  });

  test('shows nearly every metric, and queries no unknown one', () => {
    const used = new Set(namesIn(JSON.stringify(dashboard)));
    const unused = ownNames().filter((name) => !used.has(name));
    const expected = ['model_gateway_budget_held_usd', ...Object.keys(deprecatedNames)];
    expect(unused.toSorted()).toEqual(expected.toSorted());
    expect(seen.names).toEqual(expect.arrayContaining([...used]));
  });
});

/** A path of the second listener as the document shows it, and whether it needs a login. */
function listenerRows(): ReadonlyMap<string, string> {
  const pages = Object.keys(stack.service.monitor.pages).map((path) => [`GET ${path}`, 'no']);
  const ofConsole = routes.map(({ method, path, action }) =>
    path.startsWith('/admin/v1/')
      ? ['/admin/v1/…', 'yes']
      : [`${method} ${path}`, action === 'anyone' ? 'no' : 'yes'],
  );
  const forEveryone = ['/', '/console/…'].map((path) => [`GET ${path}`, 'no']);
  const rows = [...pages, ...forEveryone, ...ofConsole];
  return new Map(rows.map(([path = '', login = '']) => [path, login]));
}

describe('docs/monitoring.md', () => {
  test('lists every route of the second listener, and which of them need a login', () => {
    const [introduction = ''] = document.split('\n## ');
    const shown = tableRows(introduction).map(([path, , login]) => [withoutQuotes(path), login]);
    expect(new Map(shown.map(([path = '', login = '']) => [path, login]))).toEqual(listenerRows());
  });

  test('has a row for each metric, with its labels', () => {
    const rows = tableRows(sectionOf(document, 'Metrics'));
    const shown = rows.flatMap(([names = '']) => quotedIn(names));
    expect(shown.toSorted()).toEqual(ownNames().toSorted());
    for (const [names = '', , labels = ''] of rows) {
      for (const name of quotedIn(names)) {
        const shownLabels = [...labelsOf(name)].filter((label) => label !== 'le');
        expect(shownLabels.join(', '), name).toBe(labels);
      }
    }
  });

  test('has each deprecated name of a metric next to the new one', () => {
    for (const [was, name] of Object.entries(deprecatedNames)) {
      expect(document).toContain(`\n| \`${name}\`, deprecated \`${was}\` |`);
    }
  });

  test('names only existing metrics of the process, and each used one', () => {
    const used = ['docs/alerts.yml', 'docs/grafana-dashboard.json'].map(readRepositoryFile).join();
    const named = namesIn(sectionOf(document, 'Metrics'));
    for (const name of named) expect(seen.names).toContain(name);
    for (const name of namesIn(used)) expect(named).toContain(name);
  });

  test('shows a configuration of Prometheus that names the port', () => {
    const [shown = ''] = codeBlocks(document, 'yaml');
    const { scrape_configs: jobs } = parse(shown);
    const [{ static_configs: targets }] = jobs;
    expect(targets).toEqual([{ targets: [`${defaultAdmin.host}:${defaultAdmin.port}`] }]);
  });
});
