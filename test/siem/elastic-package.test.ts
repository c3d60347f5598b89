import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DASHBOARD, IDENTITY_DASHBOARD } from '../../siem/generate/elastic/dashboard.ts';
import { EVENT_FIELDS, mapping } from '../../siem/generate/elastic/fields.ts';
import { IDENTITY_FIELDS } from '../../siem/generate/elastic/identity-fields.ts';
import { IDENTITY_PIPELINE } from '../../siem/generate/elastic/identity-pipeline.ts';
import { identitySamples } from '../../siem/generate/elastic/identity-samples.ts';
import { PIPELINE } from '../../siem/generate/elastic/pipeline.ts';
import type { Processor } from '../../siem/generate/elastic/pipeline-parts.ts';
import { samples } from '../../siem/generate/elastic/samples.ts';

const ROOT = join(import.meta.dirname, '../../siem/elastic/orglog');
const STREAM = join(ROOT, 'data_stream/events');
const STREAMS = [
  {
    name: 'events',
    pipeline: PIPELINE,
    fields: EVENT_FIELDS,
    dashboard: DASHBOARD,
    documents: samples().map(({ document }): unknown => document),
  },
  {
    name: 'identities',
    pipeline: IDENTITY_PIPELINE,
    fields: IDENTITY_FIELDS,
    dashboard: IDENTITY_DASHBOARD,
    documents: identitySamples().map(({ document }): unknown => document),
  },
];

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

  it('lets the one input that reads the queue write to every data stream: the others have none', () => {
    const manifest = (name: string) => read(ROOT, 'data_stream', name, 'manifest.yml');
    expect(manifest('events')).toMatch(/^elasticsearch:\n {2}dynamic_dataset: true\n/m);
    expect(manifest('identities')).not.toMatch(/^streams:/m);
    expect(existsSync(join(ROOT, 'data_stream/identities/agent'))).toBe(false);
  });
});

describe.each(STREAMS)('the data stream $name', ({ pipeline, fields, dashboard, documents }) => {
  it('gives each processor a tag of its own', () => {
    const all = withFailures([...pipeline.processors, ...pipeline.on_failure]);
    const tags = all.flatMap((processor) => Object.values(processor).map(({ tag }) => tag));
    expect(tags.length).toBeGreaterThan(25);
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('declares every field of its documents, and only once', () => {
    const names = fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const document of documents) for (const path of pathsOf(document)) expect(names).toContain(path);
  });

  it('maps every declared field', () => {
    for (const { name, type } of fields) {
      const mapped = name
        .split('.')
        .reduce<unknown>(
          (at, part) => (at as { properties: Record<string, unknown> }).properties[part],
          mapping(fields),
        );
      expect(mapped).toMatchObject({ type });
    }
  });

  it('shows only declared fields on its dashboard, and finds each panel’s data', () => {
    const panels = JSON.parse(dashboard.attributes.panelsJSON) as { panelIndex: string }[];
    const text = dashboard.attributes.panelsJSON;
    const sources = [...text.matchAll(/"sourceField":"([^"]+)"/g)].map(([, field = '']) => field);
    const queried = [...text.matchAll(/([a-z_]+(?:\.[a-z_]+)+) : /g)].map(([, field = '']) => field);
    expect(sources.length).toBeGreaterThan(panels.length);
    for (const field of [...sources, ...queried])
      expect([...fields.map(({ name }) => name), '___records___']).toContain(field);
    for (const [index, { panelIndex }] of panels.entries())
      expect(dashboard.references[index]?.name).toBe(
        `${panelIndex}:indexpattern-datasource-layer-layer-${panelIndex}`,
      );
  });
});

const FLATTENED = ['orglog.log_data', 'orglog.collection', 'orglog.changes'];

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || FLATTENED.includes(path))
    return [path];
  return Object.entries(value).flatMap(([key, item]) => pathsOf(item, path === '' ? key : `${path}.${key}`));
}
