const DATA_VIEW = 'logs-*';
/** The grid is 48 columns wide: two panels a row. */
const PANEL = { w: 24, h: 14 };

interface Panel {
  readonly id: string;
  readonly title: string;
  /** KQL. */
  readonly query: string;
  /** Field whose most frequent values are listed; without one, the count over time by `event.outcome`. */
  readonly top?: string;
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

/** The dashboard as a saved object of Kibana 8 and 9, its inner documents encoded as Kibana exports them. */
export const DASHBOARD = {
  id: 'orglog-sign-ins',
  type: 'dashboard',
  attributes: {
    title: '[orglog] Sign-ins',
    description: 'Who signs in, who fails to, from where, and to what.',
    kibanaSavedObjectMeta: {
      searchSourceJSON: JSON.stringify({
        query: { language: 'kuery', query: 'event.dataset : "orglog.events"' },
        filter: [],
      }),
    },
    optionsJSON: JSON.stringify({ useMargins: true, syncColors: false, hidePanelTitles: false }),
    panelsJSON: JSON.stringify(PANELS.map(panel)),
    timeRestore: false,
    version: 1,
  },
  references: PANELS.map(({ id }) => ({
    id: DATA_VIEW,
    name: `${id}:indexpattern-datasource-layer-${layerOf(id)}`,
    type: 'index-pattern',
  })),
  coreMigrationVersion: '8.8.0',
  typeMigrationVersion: '8.9.0',
};

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

function layerState({ top }: Panel): unknown {
  if (top === undefined)
    return {
      columnOrder: ['outcome', 'time', 'count'],
      columns: { outcome: topValues('event.outcome', 3), time: TIME, count: COUNT },
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
