/** The table of metrics in docs/operations.md, the dashboard and the alerts, each checked against the registry. */
import { readFileSync } from 'node:fs';
import type { Metric } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openMetrics } from '../../src/operations/metrics.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

interface Described {
  name: string;
  labelNames: readonly string[];
  type: string;
}

const metrics = new Map(
  (openMetrics().registry.getMetricsAsArray() as unknown as (Metric & Described)[]).map((metric) => [
    metric.name,
    { labels: [...(metric.labelNames ?? [])].sort(), isHistogram: metric.constructor.name === 'Histogram' },
  ]),
);
const own = [...metrics].filter(([name]) => name.startsWith('pda_'));

/** The rows of the table: name and labels. */
const documented = new Map(
  [
    ...(read('docs/operations.md').split('\n## Metrics\n')[1] ?? '').matchAll(/^\| `(pda_\w+)` \|([^|]*)\|([^|]+)\|/gm),
  ].map(([, name = '', labels = '']) => [
    name,
    Array.from(labels.matchAll(/`(\w+)`/g), ([, label = '']) => label).sort(),
  ]),
);

// Labels that Prometheus adds, and the label of histogram buckets.
const EVERYWHERE = ['job', 'instance', 'le'];

/** The metrics in an expression with the labels that select them, and the labels that it groups by. */
function partsOf(expression: string) {
  const selectors = [...expression.matchAll(/\b((?:pda|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, named = '', matchers = '']) => ({
      named,
      name: metrics.has(named) ? named : named.replace(/_(bucket|sum|count)$/, ''),
      chosenBy: Array.from(matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label),
    }),
  );
  const groupedBy = [...expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
  return { selectors, groupedBy };
}

function checkExpression(expression: string) {
  const { selectors, groupedBy } = partsOf(expression);
  expect(selectors.length, expression).toBeGreaterThan(0);
  const available = new Set(EVERYWHERE);
  for (const { named, name, chosenBy } of selectors) {
    const metric = metrics.get(name);
    expect(metric, `${name} in ${expression}`).toBeDefined();
    // Only histograms have several series, and an expression must name one of them.
    expect(named !== name, `${named} in ${expression}`).toBe(metric?.isHistogram);
    for (const label of metric?.labels ?? []) available.add(label);
    for (const label of chosenBy) expect([...(metric?.labels ?? []), ...EVERYWHERE], expression).toContain(label);
  }
  for (const label of groupedBy) expect([...available], expression).toContain(label);
}

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string; legendFormat?: string }[];
}
const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/grafana/dashboard.json'));
const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string };
}
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);

describe('the metrics', () => {
  test('are exactly those of the table in the documentation, with their labels', () => {
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(own.map(([name, { labels }]) => [name, labels])));
  });

  test('follow the naming rules of Prometheus, with base units and counters that end in _total, and are in the dashboard', async () => {
    const described = await openMetrics().registry.getMetricsAsJSON();
    const inDashboard = shown.flatMap((expression) => partsOf(expression).selectors.map(({ name }) => name));
    for (const [name] of own) {
      const json = described.find((metric) => metric.name === name);
      expect([name, String(json?.type) === 'counter']).toEqual([name, name.endsWith('_total')]);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|percent)\b/);
      expect([name, json?.help]).toEqual([name, expect.stringMatching(/^[A-Z1].*\.$/)]);
      expect(inDashboard).toContain(name);
    }
  });
});

const reasons = (await openMetrics().refusals.get()).values.map(({ labels }) => String(labels.reason));

test('the table explains every reason of a refusal', () => {
  const row = /^\| `pda_refusals_total` \| `reason` \|([^|]*)\|/m.exec(read('docs/operations.md'))?.[1] ?? '';
  expect(Array.from(row.matchAll(/`(\w+)`/g), ([, reason]) => reason)).toEqual(reasons);
});

describe('the dashboard', () => {
  test('queries existing metrics', () => {
    for (const expression of shown) checkExpression(expression);
  });

  test('has each panel once, without overlaps', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  });
});

describe('the alerts', () => {
  test('query existing metrics', () => {
    for (const { expr } of rules) checkExpression(expr);
  });

  test('are exactly those for which the documentation has a remedy', () => {
    const named = [...read('docs/operations.md').matchAll(/^\| `(ProductDataApi\w+)` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { annotations } of rules) expect(annotations.summary).toMatch(/\.$/);
  });

  test('count guessed keys by every reason for refusing a guess', () => {
    const { expr } = rules.find(({ alert }) => alert === 'ProductDataApiKeysGuessed') ?? { expr: '' };
    const chosen = new RegExp(`^(${/reason=~"([^"]*)"/.exec(expr)?.[1]})$`);
    expect(reasons.filter((reason) => chosen.test(reason))).toEqual(['malformed_key', 'unknown_key', 'guesses']);
  });
});
