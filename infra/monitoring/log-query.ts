import { ConcreteWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Aws } from 'aws-cdk-lib/core';

export interface LogQueryProps {
  readonly title: string;
  /** What the names of the log groups begin with; CloudWatch takes five such beginnings. */
  readonly logGroups: readonly string[];
  /** Logs Insights commands, one each. */
  readonly query: readonly string[];
  /** Default `table`. */
  readonly view?: 'table' | 'timeSeries';
  /** Of 24 columns. Default 12. */
  readonly width?: number;
}

const HEIGHT = 7;

/**
 * A Logs Insights query over all log groups with a prefix. CDK's own widget wants each group by name: the dashboard
 * would then change with every stack of organizations, and depend on stacks that depend on its own.
 */
export class LogQuery extends ConcreteWidget {
  readonly #props: LogQueryProps;

  constructor(props: LogQueryProps) {
    super(props.width ?? 12, HEIGHT);
    this.#props = props;
  }

  toJson() {
    const { title, logGroups, query, view = 'table' } = this.#props;
    const prefixes = logGroups.map((prefix) => `'${prefix}'`).join(', ');
    return [
      {
        type: 'log',
        width: this.width,
        height: this.height,
        x: this.x,
        y: this.y,
        properties: {
          title,
          view,
          region: Aws.REGION,
          query: [`SOURCE logGroups(namePrefix: [${prefixes}])`, ...query].join('\n| '),
        },
      },
    ];
  }
}
