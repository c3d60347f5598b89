import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DASHBOARD } from '../../siem/generate/elastic/dashboard.ts';
import {
  AGENT_FIELDS,
  BASE_FIELDS,
  ECS_FIELDS,
  mapping,
  ORGLOG_FIELDS,
} from '../../siem/generate/elastic/fields.ts';
import { PIPELINE, type Processor } from '../../siem/generate/elastic/pipeline.ts';
import { samples } from '../../siem/generate/elastic/samples.ts';

const ROOT = join(import.meta.dirname, '../../siem/elastic/orglog');
const STREAM = join(ROOT, 'data_stream/events');
const FIELDS = [...BASE_FIELDS, ...ECS_FIELDS, ...ORGLOG_FIELDS, ...AGENT_FIELDS];

function read(...path: string[]): string {
  return readFileSync(join(...path), 'utf8');
}

function withFailures(processors: readonly Processor[]): Processor[] {
  return processors.flatMap((processor) =>
    Object.values(processor).flatMap(({ on_failure: onFailure }) => [
      processor,
      ...withFailures((onFailure ?? []) as Processor[]),
    ]),
  );
}

describe('the Elastic package', () => {
  it('has what package-spec asks of an integration', () => {
    for (const file of ['manifest.yml', 'changelog.yml', 'docs/README.md'])
      expect(existsSync(join(ROOT, file))).toBe(true);
    const manifest = read(ROOT, 'manifest.yml');
    for (const key of ['format_version', 'name', 'title', 'version', 'description', 'type', 'owner'])
      expect(manifest).toMatch(new RegExp(`^${key}:`, 'm'));
    const version = /^version: (\S+)$/m.exec(manifest)?.[1];
    expect(/^- version: (\S+)$/m.exec(read(ROOT, 'changelog.yml'))?.[1]).toBe(version);
    expect(read(ROOT, '../../README.md')).toContain(`orglog-${version}.zip`);
  });

  it('asks for every variable that the agent’s configuration uses, and uses every one', () => {
    const template = read(STREAM, 'agent/stream/aws-s3.yml.hbs');
    const used = new Set([...template.matchAll(/\{\{(?:#if )?(\w+)\}\}/g)].map(([, name]) => name));
    for (const word of ['tag']) used.delete(word);
    if (template.includes('{{#each tags as |tag|}}')) used.add('tags');
    const asked = [
      ...`${read(ROOT, 'manifest.yml')}${read(STREAM, 'manifest.yml')}`.matchAll(/^ {6,10}- name: (\w+)$/gm),
    ];
    expect(asked.map(([, name]) => name).sort()).toStrictEqual([...used].sort());
  });

  it('gives each processor a tag of its own', () => {
    const all = withFailures([...PIPELINE.processors, ...PIPELINE.on_failure]);
    const tags = all.flatMap((processor) => Object.values(processor).map(({ tag }) => tag));
    expect(tags.length).toBeGreaterThan(50);
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('declares every field of its documents, and only once', () => {
    const names = FIELDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { document } of samples()) for (const path of pathsOf(document)) expect(names).toContain(path);
  });

  it('maps every declared field', () => {
    for (const { name, type } of FIELDS) {
      const mapped = name
        .split('.')
        .reduce<unknown>(
          (at, part) => (at as { properties: Record<string, unknown> }).properties[part],
          mapping(),
        );
      expect(mapped).toMatchObject({ type });
    }
  });

  it('shows only declared fields on its dashboard, and finds each panel’s data', () => {
    const panels = JSON.parse(DASHBOARD.attributes.panelsJSON) as { panelIndex: string }[];
    const text = DASHBOARD.attributes.panelsJSON;
    const sources = [...text.matchAll(/"sourceField":"([^"]+)"/g)].map(([, field = '']) => field);
    const queried = [...text.matchAll(/([a-z_]+\.[a-z_]+) : /g)].map(([, field = '']) => field);
    expect(sources.length).toBeGreaterThan(panels.length);
    for (const field of [...sources, ...queried])
      expect([...FIELDS.map(({ name }) => name), '___records___']).toContain(field);
    for (const [index, { panelIndex }] of panels.entries())
      expect(DASHBOARD.references[index]?.name).toBe(
        `${panelIndex}:indexpattern-datasource-layer-layer-${panelIndex}`,
      );
  });
});

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || path === 'orglog.log_data')
    return [path];
  return Object.entries(value).flatMap(([key, item]) => pathsOf(item, path === '' ? key : `${path}.${key}`));
}
