import { DATASET } from '../../../functions/core/ecs/document.ts';
import { IDENTITY_DATASET } from '../../../functions/core/ecs/identity-document.ts';

const DATA_VIEW = 'logs-*';
/** The grid is 48 columns wide: two panels a row. */
const PANEL = { w: 24, h: 14 };

interface Panel {
  readonly id: string;
  readonly title: string;
  /** KQL. */
  readonly query: string;
  /** Field whose most frequent values are listed; without one, the count over time. */
  readonly top?: string;
  /** Of a count over time: the field that it is split by. Default `event.outcome`. */
  readonly by?: string;
}

// biome-ignore format: a table reads better in rows
const PANELS: readonly Panel[] = [
  { id: 'sign-ins', title: 'Sign-ins by outcome', query: 'orglog.sign_in : true' },
  { id: 'changes', title: 'Account and password changes', query: 'event.category : iam and event.type : (change or creation)' },
  { id: 'failing-users', title: 'Users with most failures', query: 'orglog.sign_in : true and event.outcome : failure', top: 'user.name' },
  { id: 'failing-addresses', title: 'Addresses with most failures', query: 'orglog.sign_in : true and event.outcome : failure', top: 'source.ip' },
  { id: 'applications', title: 'Applications', query: 'orglog.application : *', top: 'orglog.application' },
  { id: 'actions', title: 'All events', query: '', top: 'event.action' },
];

const COUNT = {
  label: 'Events',
  customLabel: true,
  dataType: 'number',
  isBucketed: false,
  operationType: 'count',
  scale: 'ratio',
  sourceField: '___records___',
};

const TIME = {
  label: '@timestamp',
  dataType: 'date',
  isBucketed: true,
  operationType: 'date_histogram',
  scale: 'interval',
  sourceField: '@timestamp',
  params: { interval: 'auto', includeEmptyRows: true, dropPartials: false },
};

// biome-ignore format: a table reads better in rows
const IDENTITY_PANELS: readonly Panel[] = [
  { id: 'identity-changes', title: 'Changes', query: 'event.kind : event', by: 'event.action' },
  { id: 'populations', title: 'Identities created and removed', query: 'event.type : (creation or deletion)', by: 'event.action' },
  { id: 'changed-users', title: 'Identities with most changes', query: 'event.type : (creation or change or deletion)', top: 'user.name' },
  { id: 'new-addresses', title: 'New mail addresses', query: 'user.changes.email : *', top: 'user.changes.email' },
  { id: 'linked', title: 'Authorities of linked and unlinked collections', query: 'event.action : (collection.linked or collection.unlinked)', top: 'orglog.authority' },
  { id: 'environments', title: 'Environments', query: '', top: 'orglog.environment' },
];

/** Sign-ins. */
export const DASHBOARD = dashboard({
  id: 'orglog-sign-ins',
  title: '[orglog] Sign-ins',
  description: 'Who signs in, who fails to, from where, and to what.',
  dataset: DATASET,
  panels: PANELS,
});

/** The identity feed. */
export const IDENTITY_DASHBOARD = dashboard({
  id: 'orglog-identities',
  title: '[orglog] Identities',
  description: 'Which identities came, changed and went.',
  dataset: IDENTITY_DATASET,
  panels: IDENTITY_PANELS,
});

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly dataset: string;
  readonly panels: readonly Panel[];
}

/** A dashboard as a saved object of Kibana 8 and 9, its inner documents encoded as Kibana exports them. */
function dashboard({ id, title, description, dataset, panels }: Shown) {
  return {
    id,
    type: 'dashboard',
    attributes: {
      title,
      description,
      kibanaSavedObjectMeta: {
        searchSourceJSON: JSON.stringify({
          query: { language: 'kuery', query: `event.dataset : "${dataset}"` },
          filter: [],
        }),
      },
      optionsJSON: JSON.stringify({ useMargins: true, syncColors: false, hidePanelTitles: false }),
      panelsJSON: JSON.stringify(panels.map(panel)),
      timeRestore: false,
      version: 1,
    },
    references: panels.map((shown) => ({
      id: DATA_VIEW,
      name: `${shown.id}:indexpattern-datasource-layer-${layerOf(shown.id)}`,
      type: 'index-pattern',
    })),
    coreMigrationVersion: '8.8.0',
    typeMigrationVersion: '8.9.0',
  };
}

function layerOf(id: string): string {
  return `layer-${id}`;
}

function panel(shown: Panel, index: number): unknown {
  const layer = layerOf(shown.id);
  return {
    type: 'lens',
    panelIndex: shown.id,
    title: shown.title,
    gridData: { i: shown.id, x: (index % 2) * PANEL.w, y: Math.floor(index / 2) * PANEL.h, ...PANEL },
    embeddableConfig: {
      enhancements: {},
      attributes: {
        title: shown.title,
        visualizationType: shown.top === undefined ? 'lnsXY' : 'lnsDatatable',
        references: [
          { id: DATA_VIEW, name: `indexpattern-datasource-layer-${layer}`, type: 'index-pattern' },
        ],
        state: {
          query: { language: 'kuery', query: shown.query },
          filters: [],
          datasourceStates: { formBased: { layers: { [layer]: layerState(shown) } } },
          visualization: shown.top === undefined ? overTime(layer) : table(layer),
        },
      },
    },
  };
}

function layerState({ top, by = 'event.outcome' }: Panel): unknown {
  if (top === undefined)
    return {
      columnOrder: ['outcome', 'time', 'count'],
      columns: { outcome: topValues(by, by === 'event.outcome' ? 3 : 10), time: TIME, count: COUNT },
      incompleteColumns: {},
    };
  return {
    columnOrder: ['value', 'count'],
    columns: { value: topValues(top, 10), count: COUNT },
    incompleteColumns: {},
  };
}

function topValues(field: string, size: number): unknown {
  return {
    label: field,
    dataType: field.endsWith('.ip') ? 'ip' : 'string',
    isBucketed: true,
    operationType: 'terms',
    scale: 'ordinal',
    sourceField: field,
    params: {
      size,
      orderBy: { type: 'column', columnId: 'count' },
      orderDirection: 'desc',
      otherBucket: false,
      missingBucket: false,
    },
  };
}

function overTime(layerId: string): unknown {
  return {
    legend: { isVisible: true, position: 'right' },
    preferredSeriesType: 'bar_stacked',
    layers: [
      {
        layerId,
        layerType: 'data',
        seriesType: 'bar_stacked',
        xAccessor: 'time',
        splitAccessor: 'outcome',
        accessors: ['count'],
      },
    ],
  };
}

function table(layerId: string): unknown {
  return { layerId, layerType: 'data', columns: [{ columnId: 'value' }, { columnId: 'count' }] };
}
